"""Small values everything else is made of: canonical bytes, paths, node ids. Imports no other room."""
