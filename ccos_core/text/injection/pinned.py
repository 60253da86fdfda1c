"""Which file of weights this version was made with."""

DIGEST = "f4b8cb64565ef4855a4d288e3ee23c1148534818bd742db62024d0f8035bcad6"
