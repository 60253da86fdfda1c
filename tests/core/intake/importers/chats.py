"""A session that has everything, for each chat: as lines, or as a document."""

import json
from typing import Any

AT = "2026-01-02T03:04:05.000Z"
PATCH = "*** Begin Patch\n*** Update File: /w/a.py\n@@\n-one\n+1\n two\n*** End Patch"


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def use(call: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def gave(call: str, said: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call, "content": said, **more}


def function(call: str, name: str, **given: Any) -> dict[str, Any]:
    return {"id": call, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}


# -- Pi, Droid: trees of entries --------------------------------------------------------------------------------------


def pi() -> list[dict[str, Any]]:
    def entry(name: str, kind: str, parent: str | None, **more: Any) -> dict[str, Any]:
        return {"type": kind, "id": name, "parentId": parent, "timestamp": AT, **more}

    def message(name: str, parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
        return entry(name, "message", parent, message={"role": role, "content": content, **more})

    usage = {"input": 40, "cacheRead": 60, "cacheWrite": 5, "output": 9, "cost": {"total": 0.25}}
    calls = [
        {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "/w/a.py"}},
        {"type": "toolCall", "id": "c2", "name": "bash", "arguments": {"command": "make"}},
        {"type": "toolCall", "id": "c3", "name": "edit", "arguments": {"path": "/w/a.py", "edits": [
            {"oldText": "one", "newText": "1"}]}},
    ]  # fmt: skip
    return [
        {"type": "session", "version": 3, "id": "s1", "timestamp": AT, "cwd": "/w"},
        entry("e1", "model_change", None, modelId="m-1", provider="p"),
        message("e2", "e1", "user", [text("Fix it.")]),
        message("e3", "e2", "assistant", [{"type": "thinking", "thinking": "Hm."}, text("I look."), *calls],
                model="m-1", usage=usage, stopReason="toolUse"),
        message("e4", "e3", "toolResult", [text("one\ntwo\n")], toolCallId="c1", isError=False),
        message("e5", "e4", "toolResult", "boom", toolCallId="c2", isError=True),
        message("e6", "e5", "toolResult", [text("ok")], toolCallId="c3", isError=False),
        message("e7", "e6", "bashExecution", None, command="ls", output="a.py"),
        entry("e8", "custom_message", "e7", content="Be brief.", display=False),
        message("e9", "e3", "user", [text("Other way.")]),
        entry("e10", "compaction", "e9", summary="All so far.", firstKeptEntryId="e9", tokensBefore=900),
        message("e11", "e10", "assistant", [text("On.")], stopReason="stop"),
        entry("e12", "thinking_level_change", "e11", thinkingLevel="high"),
    ]  # fmt: skip


def droid() -> list[dict[str, Any]]:
    def message(name: str, parent: str, role: str, *blocks: dict[str, Any]) -> dict[str, Any]:
        told = {"role": role, "content": list(blocks)}
        return {"type": "message", "id": name, "parentId": parent, "timestamp": AT, "message": told}

    return [
        {"type": "session_start", "id": "s1", "title": "Mending", "cwd": "/w"},
        message("m1", "s1", "user", text("Fix it."), text("<system-reminder>Be brief.</system-reminder>")),
        message("m2", "m1", "assistant", {"type": "thinking", "thinking": "Hm."}, text("I look."),
                use("c1", "Read", file_path="/w/a.py"), use("c2", "ApplyPatch", input=PATCH)),
        {"type": "todo_state", "id": "t1", "timestamp": AT, "todos": {}},
        message("m3", "m2", "user", gave("c1", "one\ntwo\n"), gave("c2", "no", is_error=True)),
        message("m4", "m3", "assistant", use("c3", "ApplyPatch", input=PATCH)),
        message("m5", "m4", "user", gave("c3", "ok")),
        {"type": "compaction_state", "id": "m6", "parentId": "m5", "timestamp": AT, "summaryText": "All so far."},
        message("m7", "m6", "assistant", text("Done."), use("c4", "Execute", command="make")),
    ]  # fmt: skip


# -- events -----------------------------------------------------------------------------------------------------------


def copilot() -> list[dict[str, Any]]:
    names = iter(range(100))

    def event(kind: str, **data: Any) -> dict[str, Any]:
        return {"type": kind, "data": data, "id": f"e{next(names)}", "timestamp": AT}

    def request(call: str, name: str, **given: Any) -> dict[str, Any]:
        return {"toolCallId": call, "name": name, "arguments": given, "type": "function"}

    return [
        event("session.start", sessionId="s1", context={"cwd": "/w"}, selectedModel="m-1"),
        event("system.message", role="system", content="Be brief."),
        event("user.message", content="Fix it.", transformedContent="<now/>\nFix it."),
        event("assistant.turn_start", turnId="0"),
        event("assistant.message", content="I look.", reasoningText="Hm.", toolRequests=[
            request("c1", "view", path="/w/a.py"), request("c2", "bash", command="make"),
            request("c3", "create", path="/w/b.py", file_text="b\n")]),
        event("tool.execution_start", toolCallId="c1", toolName="view", arguments={"path": "/w/a.py"}),
        event("tool.execution_complete", toolCallId="c1", success=True, result={"content": "1. one\n2. two"}),
        event("tool.execution_complete", toolCallId="c2", success=False, error={"message": "boom"}),
        event("tool.execution_complete", toolCallId="c3", success=True, result={"content": "Created."}),
        event("tool.execution_start", toolCallId="c4", toolName="glob", arguments={"pattern": "*"}),
        event("tool.execution_complete", toolCallId="c4", success=True, result={"content": "a.py"}),
        event("assistant.usage", model="m-1", inputTokens=100, outputTokens=9, cacheReadTokens=60),
        event("session.truncation", preTruncationTokensInMessages=900, postTruncationTokensInMessages=90),
        event("session.compaction_complete", preCompactionTokens=90, summaryContent="All so far."),
        event("session.error", message="The service is gone."),
        event("assistant.message", content="On.", reasoningOpaque="x"),
    ]  # fmt: skip


def kimi() -> list[dict[str, Any]]:
    def loop(kind: str, **event: Any) -> dict[str, Any]:
        return {"type": "context.append_loop_event", "event": {"type": kind, **event}, "time": 1_785_612_812_825}

    def message(said: str, kind: str) -> dict[str, Any]:
        told = {"role": "user", "content": [text(said)], "origin": {"kind": kind}}
        return {"type": "context.append_message", "message": told, "time": 1_785_612_812_825}

    def call(name: str, tool: str, **given: Any) -> dict[str, Any]:
        return loop("tool.call", uuid=name, toolCallId=name, name=tool, args=given, display={"cwd": "/w"})

    def result(name: str, output: str, **more: Any) -> dict[str, Any]:
        return loop("tool.result", parentUuid=name, toolCallId=name, result={"output": output, **more})

    usage = {"inputOther": 40, "inputCacheRead": 60, "inputCacheCreation": 0, "output": 9}
    return [
        {"type": "metadata", "protocol_version": "1.4", "created_at": 1_785_612_803_281},
        {"type": "config.update", "systemPrompt": "You are Kimi.", "time": 1_785_612_803_281},
        {"type": "turn.prompt", "input": [text("Fix it.")], "time": 1_785_612_803_281},
        message("Fix it.", "user"), message("<system-reminder>Be brief.</system-reminder>", "injection"),
        {"type": "llm.request", "model": "m-1", "time": 1_785_612_803_281},
        loop("step.begin", uuid="u1", step=1),
        loop("content.part", uuid="u2", part={"type": "think", "think": "Hm."}),
        loop("content.part", uuid="u3", part={"type": "text", "text": "I look."}),
        call("c1", "Read", path="/w/a.py"), call("c2", "Bash", command="make"),
        call("c3", "Edit", path="/w/a.py", old_string="one", new_string="1"),
        result("c1", "     1\tone\n     2\ttwo\n"), result("c2", "boom", isError=True), result("c3", "ok"),
        loop("step.end", uuid="u1", usage=usage, finishReason="tool_use"),
        {"type": "context.apply_compaction", "contextSummary": "All so far.", "tokensBefore": 900, "tokensAfter": 90,
         "time": 1_785_612_803_281},
        loop("content.part", uuid="u9", part={"type": "text", "text": "On."}), call("c4", "Bash", command="make"),
    ]  # fmt: skip


def grok() -> list[dict[str, Any]]:
    def call(name: str, tool: str, **given: Any) -> dict[str, Any]:
        return {"id": name, "name": tool, "arguments": json.dumps(given)}

    return [
        {"type": "system", "content": "You are Grok."},
        {"type": "user", "content": [text("<user_info>\nWorkspace Path: /w\n</user_info>")], "synthetic_reason": "e"},
        {"type": "user", "content": [text("Fix it.")], "prompt_index": 0},
        {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "Hm."}]},
        {"type": "assistant", "content": "I look.", "model_id": "m-1", "tool_calls": [
            call("c1", "read_file", target_file="/w/a.py"),
            call("c2", "search_replace", file_path="/w/a.py", old_string="one", new_string="1")]},
        {"type": "tool_result", "tool_call_id": "c1", "content": "one\ntwo\n"},
        {"type": "tool_result", "tool_call_id": "c2", "content": "ok"},
        {"type": "backend_tool_call", "kind": {"tool_type": "web_search"}},
        {"type": "assistant", "content": "On.", "tool_calls": [call("c3", "run_terminal_cmd", command="make")]},
    ]  # fmt: skip


def antigravity() -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []

    def step(source: str, kind: str, content: str = "", **more: Any) -> None:
        said = {"content": content} if content else {}
        numbered = {"step_index": len(steps), "source": source, "type": kind, "status": "DONE", "created_at": AT}
        steps.append({**numbered, **said, **more})

    step("USER_EXPLICIT", "USER_INPUT", "<USER_REQUEST>\nFix it.\n</USER_REQUEST>\n<NOW>noon</NOW>")
    step("SYSTEM", "CONVERSATION_HISTORY")
    step("MODEL", "PLANNER_RESPONSE", "I look.", thinking="Hm.", tool_calls=[
        {"name": "view_file", "args": {"AbsolutePath": '"/w/a.py"'}},
        {"name": "run_command", "args": {"CommandLine": '"make"'}}])  # fmt: skip
    step("MODEL", "VIEW_FILE", "File Path: `file:///w/a.py`\n1: one\n2: two\n")
    step("MODEL", "RUN_COMMAND", "boom", status="ERROR")
    step("MODEL", "VIEW_FILE", "File Path: `file:///w/b.py`\n1: b\n2: c\n3: d\n")
    step("SYSTEM", "SYSTEM_MESSAGE", "Be brief.")
    step("SYSTEM", "CHECKPOINT", "# Resuming from a compaction")
    step("MODEL", "PLANNER_RESPONSE", "On.", tool_calls=[{"name": "run_command", "args": {"CommandLine": '"make"'}}])
    return steps


def windsurf() -> list[dict[str, Any]]:
    def step(kind: str, status: str = "done", **fields: Any) -> dict[str, Any]:
        return {"status": status, "type": kind, kind: fields}

    numbered = '<file name="/w/a.py" start_line="1" end_line="2" full_length="2">\n     1→one\n     2→two\n</file>'
    return [
        step("user_input", user_response="Fix it."),
        step("planner_response", response="I look."),
        step("view_file", path="file:///w/a.py", content=numbered),
        step("run_command", command="make", cwd="/w", exit_code=2, output="boom"),
        step("code_action", path="file:///w/a.py", original_content="one\ntwo\n", new_content="1\ntwo\n"),
        step("run_command", command="rm -rf /w", cwd="/w", user_rejected=True),
        step("list_resources", "error", server_name="memory"),
        step("planner_response", response="Done."),
    ]


# -- messages ---------------------------------------------------------------------------------------------------------


def cursor() -> list[dict[str, Any]]:
    def says(role: str, *blocks: dict[str, Any]) -> dict[str, Any]:
        return {"role": role, "message": {"content": list(blocks)}}

    def asks(name: str, **given: Any) -> dict[str, Any]:
        return {"type": "tool_use", "name": name, "input": given}

    return [
        says("user", text("<attached_files>\na.py\n</attached_files>\n<user_query>\nFix it.\n</user_query>")),
        says("assistant", {"type": "thinking", "thinking": "Hm."}, text("I look."), asks("Read", path="/w/a.py")),
        says("assistant", text("I mend."), asks("Write", path="/w/b.py", content="b\n"),
             asks("StrReplace", path="/w/a.py", old_string="one", new_string="1")),
        says("assistant", text("I run it."), asks("Shell", command="make")),
        says("user", gave("t1", "made")),
        says("assistant", text("Done."), asks("Shell", command="make")),
    ]  # fmt: skip


def cline() -> list[dict[str, Any]]:
    details = "<environment_details>\n# Current Working Directory (/w) Files\na.py\n</environment_details>"
    edit = "<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE"
    return [
        {"role": "user", "content": [text("<task>\nFix it.\n</task>"), text(details)]},
        {"role": "assistant", "content": [text("I look.\n<read_file>\n<path>/w/a.py</path>\n</read_file>")]},
        {"role": "user", "content": [text("[read_file for '/w/a.py'] Result:"), text("one\ntwo\n"), text(details)]},
        {"role": "assistant", "content": [
            text(f"<replace_in_file>\n<path>/w/a.py</path>\n<diff>\n{edit}\n</diff>\n</replace_in_file>")]},
        {"role": "user", "content": [text("[replace_in_file for '/w/a.py'] Result:"), text("ok"),
                                     text("<feedback>\nFaster.\n</feedback>")]},
        {"role": "assistant", "content": [text("I run it."), use("c3", "execute_command", command="make")]},
        {"role": "user", "content": [gave("c3", "boom", is_error=True)]},
        {"role": "assistant", "content": "Done."},
    ]  # fmt: skip


def amp() -> dict[str, Any]:
    def run(call: str, status: str, **told: Any) -> dict[str, Any]:
        return {"type": "tool_result", "toolUseID": call, "run": {"status": status, **told}}

    usage = {"model": "m-1", "maxInputTokens": 1000, "inputTokens": 40, "outputTokens": 9, "cacheReadInputTokens": 60,
             "cacheCreationInputTokens": 0, "totalInputTokens": 100, "timestamp": AT}  # fmt: skip
    messages = [
        {"role": "user", "messageId": 0, "content": [text("Fix it.")], "meta": {"sentAt": 1_772_241_201_792}},
        {"role": "assistant", "messageId": 1, "usage": usage, "state": {"type": "complete", "stopReason": "tool_use"},
         "content": [{"type": "thinking", "thinking": "Hm."}, text("I look."), use("c1", "Read", path="/w/a.py"),
                     use("c2", "Bash", cmd="make"),
                     use("c3", "edit_file", path="/w/a.py", old_str="one", new_str="1")]},
        {"role": "user", "messageId": 2, "content": [
            run("c1", "done", result={"absolutePath": "/w/a.py", "content": "1: one\n2: two"}),
            run("c2", "done", result={"output": "boom", "exitCode": 2}), run("c3", "done", result={"diff": "x"})]},
        {"role": "info", "messageId": 3, "content": [
            {"type": "summary", "summary": {"type": "message", "summary": "All so far."}}]},
        {"role": "assistant", "messageId": 4, "state": {"type": "cancelled"},
         "content": [text("On."), use("c4", "Bash", cmd="make")]},
    ]  # fmt: skip
    env = {"initial": {"trees": [{"uri": "file:///w"}]}}
    return {"v": 1, "id": "T-1", "created": 1_772_241_173_221, "env": env, "messages": messages, "title": "Mending"}


def continue_cli() -> dict[str, Any]:
    def state(call: str, status: str, *said: str) -> dict[str, Any]:
        return {"toolCallId": call, "status": status, "output": [{"content": each} for each in said]}

    calls = [
        function("c1", "Read", filepath="/w/a.py"), function("c2", "Bash", command="make"),
        function("c3", "MultiEdit", file_path="/w/a.py", edits=[{"old_string": "one", "new_string": "1"}]),
    ]  # fmt: skip
    states = [
        state("c1", "done", "Content of /w/a.py:\none\ntwo\n"), state("c2", "errored", "boom"),
        state("c3", "done", "ok"),
    ]  # fmt: skip
    return {
        "sessionId": "s1", "title": "Mending", "workspaceDirectory": "/w",
        "history": [
            {"message": {"role": "user", "content": "Fix it."}, "contextItems": [{"content": "Be brief."}]},
            {"message": {"role": "thinking", "content": "Hm."}, "contextItems": []},
            {"message": {"role": "assistant", "content": "I look.", "toolCalls": calls}, "contextItems": [],
             "toolCallStates": states},
            {"message": {"role": "assistant", "content": "On.", "toolCalls": [function("c4", "Bash", command="make")]},
             "contextItems": [], "toolCallStates": [state("c4", "calling")]},
        ],
    }  # fmt: skip


def hermes() -> dict[str, Any]:
    return {
        "session_id": "s1", "model": "m-1", "platform": "cli", "session_start": AT, "model_config": {"cwd": "/w"},
        "system_prompt": "You are Hermes.",
        "messages": [
            {"role": "user", "content": "Fix it."},
            {"role": "assistant", "content": "I look.", "reasoning": "Hm.",
             "tool_calls": [function("c1", "read_file", path="/w/a.py"), function("c2", "shell", command="cat b.py")]},
            {"role": "tool", "content": "1|one\n2|two", "tool_call_id": "c1"},
            {"role": "tool", "content": "b\n", "tool_call_id": "c2"},
            {"role": "assistant", "content": "On.", "finish_reason": "stop"},
            {"role": "session_meta"},
        ],
    }  # fmt: skip


def cursor_db() -> dict[str, Any]:
    def bubble(name: str, kind: int, **more: Any) -> dict[str, Any]:
        return {"bubbleId": name, "type": kind, "createdAt": AT, "text": "", **more}

    def tool(call: str, name: str, status: str, result: Any, **given: Any) -> dict[str, Any]:
        told = {"toolCallId": call, "name": name, "status": status, "rawArgs": json.dumps(given)}
        return {"toolFormerData": {**told, "result": json.dumps(result)}}

    edit = {"file_path": "/w/a.py", "old_string": "one", "new_string": "1"}
    counts = {"inputTokens": 100, "outputTokens": 9}
    composer = {
        "composerId": "s1",
        "name": "Mending",
        "createdAt": 1_772_241_173_221,
        "modelConfig": {"modelName": "m-1"},
    }
    return {
        "composer": composer,
        "bubbles": [
            bubble("b1", 1, text="Fix it."),
            bubble("b2", 2, thinking={"text": "Hm."}, modelInfo={"modelName": "m-1"}),
            bubble("b3", 2, text="I look.", tokenCount=counts),
            bubble("b4", 2, **tool("c1", "read_file", "completed", {"contents": "one\ntwo\n"}, target_file="/w/a.py")),
            bubble("b5", 2, **tool("c2", "run_terminal_cmd", "error", {"output": "boom"}, command="make")),
            bubble("b6", 2, **tool("c3", "search_replace", "completed", {"diff": {}}, **edit)),
            bubble("b7", 2, thinking={"text": "", "signature": "x"}, text="On."),
            bubble("b8", 2, **tool("c4", "run_terminal_cmd", "running", None, command="make")),
        ],
    }


def vscode() -> dict[str, Any]:
    def node(*texts: str) -> dict[str, Any]:
        leaves = [{"text": each, "lineBreakBefore": bool(at)} for at, each in enumerate(texts)]
        return {"content": [{"value": {"node": {"children": [{"children": leaves}]}}}]}

    calls = [
        {"id": "c1", "name": "read_file", "arguments": json.dumps({"filePath": "/w/a.py"})},
        {"id": "c2", "name": "replace_string_in_file", "arguments": json.dumps(
            {"filePath": "/w/a.py", "oldString": "one", "newString": "1"})},
    ]  # fmt: skip
    answered = {
        "renderedUserMessage": [{"type": 1, "text": "<attachments/>\nFix it."}],
        "toolCallRounds": [{"response": "I look.", "toolCalls": calls}, {"response": "Done.", "toolCalls": []}],
        "toolCallResults": {"c1": node("1: one", "2: two"), "c2": {"content": [{"value": "ok"}]}},
    }
    folder = {"path": "/w/"}
    return {
        "version": 3, "responderUsername": "GitHub Copilot",
        "sessionId": "s1", "customTitle": "Mending", "creationDate": 1_772_241_173_221,
        "requests": [
            {"requestId": "r1", "message": {"text": "Fix it."}, "timestamp": 1_772_241_173_221, "modelId": "m-1",
             "response": [{"value": "I look.", "baseUri": folder}], "result": {"metadata": answered}},
            {"requestId": "r2", "message": {"text": "Thanks."}, "timestamp": 1_772_241_173_221,
             "response": [{"value": "You are "}, {"kind": "undoStop", "value": "x"}, {"value": "welcome."}]},
        ],
    }  # fmt: skip


# -- runs -------------------------------------------------------------------------------------------------------------


def openhands() -> list[dict[str, Any]]:
    def event(number: int, source: str, **more: Any) -> dict[str, Any]:
        return {"id": number, "timestamp": AT[:-1], "source": source, "message": "", **more}

    def metadata(response: str, call: str, name: str, **given: Any) -> dict[str, Any]:
        calls = [{"id": call, "function": {"name": name, "arguments": json.dumps(given)}}]
        message = {"content": "I look.", "tool_calls": calls}
        usage = {"prompt_tokens": 100, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 60}}
        answer = {"id": response, "model": "m-1", "choices": [{"message": message}], "usage": usage}
        return {"tool_call_metadata": {"function_name": name, "tool_call_id": call, "model_response": answer}}

    def did(number: int, action: str, meta: dict[str, Any], **args: Any) -> dict[str, Any]:
        return event(number, "agent", action=action, args={"thought": "I look.", **args}, **meta)

    def gave(number: int, observed: str, meta: dict[str, Any], shown: str, **extras: Any) -> dict[str, Any]:
        return event(number, "agent", observation=observed, content=shown, extras=extras, cause=number - 1, **meta)

    view = metadata("a1", "c1", "str_replace_editor", command="view", path="/w/a.py")
    make = metadata("a1", "c2", "execute_bash", command="make")
    edit = metadata("a2", "c3", "str_replace_editor", command="str_replace", path="/w/a.py", old_str="one", new_str="1")
    think = metadata("a2", "c4", "think", thought="Hm.")
    run = {"exit_code": 2, "working_dir": "/w"}
    history = [
        event(0, "agent", action="system", args={"content": "You are an agent."}),
        event(1, "user", action="message", args={"content": "Fix it."}),
        event(2, "user", action="recall", args={"query": "Fix it."}),
        did(3, "read", view, path="/w/a.py"),
        gave(4, "read", view, "     1\tone\n     2\ttwo\n"),
        did(5, "run", make, command="make"),
        gave(6, "run", make, "boom", metadata=run),
        event(7, "environment", observation="agent_state_changed", content="", extras={}),
        event(8, "environment", observation="recall", content="", extras={"repo_instructions": "Be brief."}),
        did(9, "think", think, thought="Hm."),
        gave(10, "think", think, "Your thought has been logged."),
        did(11, "edit", edit, path="/w/a.py"),
        gave(12, "edit", edit, "Edited."),
        event(13, "agent", action="condensation", args={"summary": "All so far."}),
        event(14, "agent", action="finish", args={"final_thought": "Done."}),
    ]
    first = [event(0, "user", action="message", args={"content": "Fix it."})]
    return [
        {"instance_id": "r0", "history": first},
        {"instance_id": "r1", "instruction": "Fix it.", "history": history, "metadata": {}},
    ]
