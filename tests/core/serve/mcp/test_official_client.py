"""The official SDK's client is the judge: in each of its modes it does with our server all it can."""

import asyncio
import contextlib
import sys
import warnings
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.mcp import wire as of
from tests.core.serve.mcp.offering import make
from tests.core.serve.mcp.talking import LONG, environment
from tests.house import tree

mcp = pytest.importorskip(
    "mcp", reason="THE OFFICIAL SDK IS NOT INSTALLED: its client judged nothing. See the extra `dev`"
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import anyio
    import mcp_types as types
    from mcp import MCPError
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters
    from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated

MODES = {"auto": of.STATELESS, of.STATELESS: of.STATELESS, "legacy": of.AGREED}
"""What each mode of theirs ends up with."""
TRIAL = ("-m", "tests.core.serve.mcp.offering")
pytestmark = pytest.mark.filterwarnings("ignore")


@contextlib.asynccontextmanager
async def connected(mode: str, args: Sequence[str] = TRIAL, **more: Any) -> AsyncIterator[Any]:
    server = StdioServerParameters(
        command=sys.executable,
        args=list(args),
        env=environment(),
        cwd=str(tree.ROOT),
    )
    async with Client(server, mode=mode, read_timeout_seconds=LONG, cache=None, **more) as client:
        yield client


def in_each_mode(test: Any) -> Any:
    """Run an asynchronous test once for each mode."""

    @pytest.mark.parametrize("mode", list(MODES))
    def run(mode: str) -> None:
        asyncio.run(test(mode))

    run.__doc__ = test.__doc__
    return run


@in_each_mode
async def test_it_agrees_with_us(mode: str) -> None:
    async with connected(mode) as client:
        assert client.protocol_version == MODES[mode]
        if mode != of.STATELESS:  # that one asks for nothing beforehand
            assert (client.server_info.name, client.server_info.version) == ("trial", "1.2.3")
            assert client.instructions == "Try it."
            assert client.server_capabilities.resources.subscribe
            assert client.server_capabilities.completions is not None


@in_each_mode
async def test_it_lists_what_we_offer(mode: str) -> None:
    async with connected(mode) as client:
        offer = make()
        assert [each.name for each in (await client.list_tools()).tools] == [each.name for each in offer.tools]
        assert [each.uri for each in (await client.list_resources()).resources] == ["test://notes"]
        templates = (await client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == ["test://note/{name}{?tone}"]
        prompts = (await client.list_prompts()).prompts
        assert [[each.name for each in prompt.arguments] for prompt in prompts] == [["name", "mood"], []]


@in_each_mode
async def test_it_calls_tools_and_finds_the_answer_as_its_schema_says(mode: str) -> None:
    async with connected(mode) as client:
        await client.list_tools()
        said = await client.call_tool("add", {"a": 1})
        assert (said.is_error, said.structured_content["sum"]) == (False, 6)
        failed = await client.call_tool("fail", {})
        assert failed.is_error
        assert "is locked" in failed.content[0].text
        for name, arguments, word in (("add", {"a": "x"}, "a: must be an integer"), ("refuse", {}, "Did you mean")):
            wrong = await client.call_tool(name, arguments)
            assert wrong.is_error
            assert word in wrong.content[0].text
            assert wrong.meta["ccos-tui/argument"] in ("a", "node")
        with pytest.raises(MCPError) as raised:
            await client.call_tool("ad", {})
        assert raised.value.error.code == types.INVALID_PARAMS


@in_each_mode
async def test_it_hears_of_progress(mode: str) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(done: float, total: float | None, words: str | None) -> None:
        heard.append((done, total, words))

    async with connected(mode) as client:
        await client.call_tool("slow", {"steps": 3, "pause": 40}, progress_callback=hear)
    assert heard == [(0, 3, "step 0"), (1, 3, "step 1"), (2, 3, "step 2"), (3, 3, None)]


@in_each_mode
async def test_it_takes_a_call_back(mode: str) -> None:
    async with connected(mode) as client:
        with anyio.CancelScope() as scope:

            async def stop(*_: Any) -> None:
                scope.cancel()

            await client.call_tool("slow", {"steps": 10_000, "pause": 20}, progress_callback=stop)
        assert scope.cancelled_caught
        with anyio.fail_after(LONG):
            assert (await client.call_tool("add", {"a": 2})).structured_content["sum"] == 7


@in_each_mode
async def test_it_reads_resources(mode: str) -> None:
    async with connected(mode) as client:
        (plain,) = (await client.read_resource("test://notes")).contents
        assert (plain.text, plain.mime_type) == ("first", "text/plain")
        (by_template,) = (await client.read_resource("test://note/first?tone=glad")).contents
        assert by_template.text == "hello (glad)"
        with pytest.raises(MCPError):
            await client.read_resource("test://nothing")


@in_each_mode
async def test_it_gets_prompts_and_completes(mode: str) -> None:
    async with connected(mode) as client:
        (message,) = (await client.get_prompt("greet", {"name": "Ada"})).messages
        assert (message.role, message.content.text) == ("user", "Greet Ada, glad.")
        ref = types.PromptReference(name="greet")
        assert (await client.complete(ref, {"name": "mood", "value": "gl"})).completion.values == ["glad", "glum"]
        template = types.ResourceTemplateReference(uri="test://note/{name}{?tone}")
        said = await client.complete(template, {"name": "tone", "value": "gr"}, {"name": "first"})
        assert said.completion.values == ["grim", "gruff"]


@pytest.mark.parametrize("mode", ["auto", of.STATELESS])
def test_it_listens(mode: str) -> None:
    async def run() -> None:
        async with connected(mode) as client:
            wanted = {"resources_list_changed": True, "resource_subscriptions": ["test://notes"]}
            async with client.listen(**wanted) as stream:
                assert stream.honored.resource_subscriptions == ["test://notes"]
                await client.call_tool("note", {"name": "second", "text": "x"})
                heard = [await anext(stream), await anext(stream)]
                assert {type(each) for each in heard} == {ResourceUpdated, ResourcesListChanged}
            assert (await client.read_resource("test://notes")).contents[0].text == "first, second"

    asyncio.run(run())


def test_it_subscribes() -> None:
    heard: asyncio.Queue[Any] = asyncio.Queue()

    async def hear(message: Any) -> None:
        if not isinstance(message, Exception):
            heard.put_nowait(message)

    async def run() -> None:
        async with connected("legacy", message_handler=hear) as client:
            await client.set_logging_level("info")
            await client.send_ping()
            await client.subscribe_resource("test://notes")
            await client.call_tool("note", {"name": "second", "text": "x"})
            said = [await asyncio.wait_for(heard.get(), LONG) for _ in range(2)]
            assert [each.method for each in said] == [
                "notifications/resources/updated",
                "notifications/resources/list_changed",
            ]
            await client.unsubscribe_resource("test://notes")

    asyncio.run(run())


@pytest.mark.parametrize("mode", list(MODES))
def test_plain_answers_of_the_product_pass(mode: str, tmp_path: Path) -> None:
    """A tool that declares no schema of its answer need not give a structured one."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "shop.py").write_text("def total(rows):\n    return sum(rows)\n")
    args = ["-m", "ccos_tui", "mcp", str(tmp_path / "work.ccos"), "--root", str(tmp_path / "project")]

    async def call() -> None:
        async with connected(mode, args) as client:
            listed = {each.name: each for each in (await client.list_tools()).tools}
            assert listed["recall"].output_schema is None
            assert listed["ingest"].output_schema is not None
            source = {"uri": "shop.py", "source": "def total(rows):\n    return sum(rows)\n"}
            assert not (await client.call_tool("ingest", source)).is_error
            said = await client.call_tool("recall", {"anchor": "shop.py"})
            assert (said.is_error, said.structured_content) == (False, None)
            assert "def total(rows):\n    return sum(rows)" in said.content[0].text
            wrong = await client.call_tool("recall", {"anchors": "shop.py"})
            assert wrong.is_error
            assert "Did you mean anchor?" in wrong.content[0].text

    asyncio.run(call())
