"""The plugin for OpenCode: a JavaScript file that passes what the agent does to `ccos-tui hook`, event by event.

OpenCode has no hooks that start a program, but it loads plugins from its folder. The events are those that
`ccos_core.intake.hooks.opencode` reads.
"""

from __future__ import annotations

import json

from ccos_core.session.setup.entries import Program

NAME = "ccos-tui.js"

TEXT = """\
// Written by `ccos-tui setup`, removed by `ccos-tui setup --undo`. It tells the recorder what the agent does.
import { spawn, spawnSync } from "node:child_process"

const HOOK = @HOOK@
const ENV = @ENV@
const MOST_MESSAGES = 200

export const CcosTui = async ({ directory }) => {
  const sessions = new Map() // session -> { parent, directory }
  const messages = new Map() // message -> { role, parts }
  const told = new Set()
  const waiting = []
  let running = false

  const options = { env: { ...process.env, ...ENV }, stdio: ["pipe", "ignore", "ignore"], windowsHide: true }

  const next = () => {
    if (running || waiting.length === 0) return
    running = true
    const done = () => {
      if (!running) return
      running = false
      waiting.shift()
      next()
    }
    try {
      const child = spawn(HOOK[0], HOOK.slice(1), options)
      child.on("error", done)
      child.on("close", done)
      child.stdin.on("error", () => {})
      child.stdin.end(waiting[0])
    } catch {
      done()
    }
  }

  // The first of them may have been heard already: an event that comes twice is recorded once.
  const flush = () => {
    for (const event of waiting.splice(0)) {
      try {
        spawnSync(HOOK[0], HOOK.slice(1), { ...options, input: event, timeout: 10000 })
      } catch {}
    }
  }

  const tell = (name, session, id, fields) => {
    const key = `${name} ${session} ${id}`
    if (told.has(key)) return
    told.add(key)
    const known = sessions.get(session) ?? {}
    const event = {
      hook_event_name: name,
      session_id: known.parent ?? session,
      ...(known.parent ? { agent_id: session } : {}),
      cwd: known.directory ?? directory,
      id,
      ...fields,
    }
    waiting.push(JSON.stringify(event))
    next()
  }

  const call = (part) => {
    const { status, input, output, error, metadata, time } = part.state
    return {
      tool_name: part.tool,
      tool_use_id: part.callID,
      tool_input: input,
      tool_response: { status, output, error, metadata, time },
    }
  }

  const messageOf = (id) => {
    if (!messages.has(id)) messages.set(id, { role: "", parts: new Map() })
    if (messages.size > MOST_MESSAGES) messages.delete(messages.keys().next().value)
    return messages.get(id)
  }

  const partsOf = (message, type) => [...message.parts.values()].filter((part) => part.type === type)

  const prompted = (message, part) => {
    if (message.role !== "user" || part.ignored === true) return
    const prompt = part.type === "text" ? part.text : part.type === "subtask" ? part.prompt : ""
    const source = part.synthetic === true ? "host" : "user"
    if (prompt) tell("prompt", part.sessionID, part.id, { prompt, source })
  }

  const completed = (info, message) => {
    const said = partsOf(message, "text").map((part) => part.text).join("\\n")
    const tokens = info.tokens ?? {}
    const counts = {
      fresh: tokens.input ?? 0,
      cached: tokens.cache?.read ?? 0,
      stored: tokens.cache?.write ?? 0,
      written: tokens.output ?? 0,
    }
    for (const part of partsOf(message, "patch")) {
      const files = part.files.map((path) => ({ path }))
      tell("changed", info.sessionID, part.id, { files, tool_calls: partsOf(message, "tool").map(call) })
    }
    if (info.summary === true) {
      if (info.error) return
      const asked = messages.get(info.parentID)
      const [compaction] = asked ? partsOf(asked, "compaction") : []
      const trigger = compaction ? (compaction.auto === false ? "manual" : "auto") : "unknown"
      tell("summary", info.sessionID, info.id, { trigger, compact_summary: said, ...counts })
    } else {
      const fields = { last_assistant_message: said, model: info.modelID, reason: info.finish ?? "" }
      tell("turn", info.sessionID, info.id, { ...fields, outcome: info.error?.name, ...counts })
    }
    messages.delete(info.id)
  }

  const heard = (type, of) => {
    if (type === "session.created" || type === "session.updated") {
      const parent = of.info.parentID
      const root = parent && (sessions.get(parent)?.parent ?? parent)
      sessions.set(of.info.id, { parent: root, directory: of.info.directory })
    } else if (type === "message.updated") {
      const message = messageOf(of.info.id)
      message.role = of.info.role
      for (const part of message.parts.values()) prompted(message, part)
      if (of.info.role === "assistant" && (of.info.time?.completed || of.info.error)) completed(of.info, message)
    } else if (type === "message.part.updated") {
      const part = of.part
      const message = messageOf(part.messageID)
      message.parts.set(part.id, part)
      prompted(message, part)
      if (part.type === "tool" && (part.state.status === "completed" || part.state.status === "error"))
        tell("tool", part.sessionID, part.id, call(part))
    }
  }

  process.on("exit", flush)
  return {
    event: async ({ event }) => {
      try {
        heard(event.type, event.properties)
      } catch {} // whatever it is, it is not the agent's problem
    },
    dispose: async () => flush(),
  }
}
"""


def plugin_text(program: Program) -> str:
    """The plugin, for one installation."""
    hook = json.dumps([*program.words, "--host", "opencode"])
    return TEXT.replace("@HOOK@", hook).replace("@ENV@", json.dumps(dict(program.environment)))
