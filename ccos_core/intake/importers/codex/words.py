"""Words of Codex's rollouts that say nothing here, and how the host's own words in the user's name begin."""

from __future__ import annotations

SILENT_ITEMS = ("ghost_snapshot", "additional_tools")
SILENT_KINDS = ("state", "world_state", "inter_agent_communication_metadata", "token_usage_record")
SILENT_EVENTS = frozenset(
    (
        "agent_message", "agent_message_delta", "agent_message_content_delta",
        "agent_reasoning", "agent_reasoning_delta", "agent_reasoning_raw_content", "agent_reasoning_raw_content_delta",
        "agent_reasoning_section_break", "reasoning_content_delta", "reasoning_raw_content_delta",
        "task_started", "turn_started", "turn_diff", "plan_update", "plan_delta",
        "item_started", "raw_response_item",
        "session_configured", "thread_settings_applied", "shutdown_complete", "background_event",
        "exec_command_begin", "exec_command_output_delta", "exec_command_end", "terminal_interaction",
        "patch_apply_begin", "view_image_tool_call",
        "mcp_startup_update", "mcp_startup_complete", "mcp_tool_call_begin", "mcp_tool_call_end",
        "web_search_begin", "web_search_end", "image_generation_begin", "image_generation_end",
        "dynamic_tool_call_request", "dynamic_tool_call_response",
        "exec_approval_request", "apply_patch_approval_request", "request_user_input", "request_permissions",
        "elicitation_request", "guardian_assessment", "hook_started", "hook_completed",
        "entered_review_mode", "exited_review_mode", "undo_started", "undo_completed",
        "collab_agent_spawn_begin", "collab_agent_spawn_end", "collab_agent_interaction_begin",
        "collab_agent_interaction_end", "collab_waiting_begin", "collab_waiting_end", "collab_close_begin",
        "collab_close_end", "collab_resume_begin", "collab_resume_end",
        "error", "warning", "stream_error", "deprecation_notice", "model_reroute", "model_verification",
        "guardian_warning", "safety_buffering", "turn_moderation_metadata", "patch_apply_updated",
        "thread_goal_updated", "sub_agent_activity", "realtime_conversation_started", "realtime_conversation_closed",
    ),
)  # fmt: skip
"""Events that repeat an item, accompany one, or are for the screen."""

OF_HOST = (
    "<environment_context>", "<user_instructions>", "# agents.md instructions for ", "<instructions>",
    "<turn_aborted>", "<subagent_notification>", "<user_shell_command>", "<skill>", "<hook_prompt",
    "<permissions instructions>", "<collaboration_mode>", "<model_switch>", "<multi_agent_mode>",
    "<apps_instructions>", "<skills_instructions>", "<plugins_instructions>", "<personality_spec>",
    "<realtime_conversation>", "<goal_context>",
)  # fmt: skip
"""How a message in the role of the user begins that the host wrote."""


KINDS_OF_WORDS = {
    "interruption": ("<turn_aborted>",),
    "skill": ("<skill>",),
    "output": ("<user_shell_command>",),
}
"""Of the host's words in the user's name, how each kind begins."""


def kind_of(said: str) -> str:
    """What a message of the host's is, as one of PROMPT_KINDS."""
    begin = said.lstrip()[:64].lower()
    return next((kind for kind, starts in KINDS_OF_WORDS.items() if begin.startswith(starts)), "")


def is_of_host(said: str) -> bool:
    """Whether a message in the role of the user is the host's."""
    return said.lstrip()[:64].lower().startswith(OF_HOST)
