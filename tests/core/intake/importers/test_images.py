"""Lines that stand for images."""

import base64

import pytest

from ccos_core.intake.importers.images import placeholder, placeholder_of_block, placeholder_of_url
from ccos_core.values.canon import digest

PICTURE = b"\x89PNG\r\n" + bytes(range(256)) * 5
LINE = f"[image/png, 1,286 bytes, blake3 {digest(PICTURE).hex()[:16]}…]"


def test_size_and_hash_are_of_the_decoded_bytes() -> None:
    data = base64.b64encode(PICTURE).decode()
    assert placeholder("image", "image/png", data) == LINE
    assert placeholder_of_url("image", f"data:image/png;base64,{data}") == LINE
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    assert placeholder_of_block(block) == LINE


@pytest.mark.parametrize("data", ["", "[trimmed]", "é", "abc"])
def test_data_that_cannot_be_decoded_leaves_the_kind(data: str) -> None:
    assert placeholder("image", "image/png", data) == "[image]"


def test_an_image_elsewhere_has_its_address() -> None:
    assert placeholder_of_url("image", "https://example.org/a.png") == "[image https://example.org/a.png]"
    assert placeholder_of_block({"type": "document", "source": {"url": "https://example.org/a"}}) == (
        "[document https://example.org/a]"
    )
    assert placeholder_of_url("image", "data:,text") == "[image]"
    assert placeholder_of_block({"type": "image"}) == "[image]"
