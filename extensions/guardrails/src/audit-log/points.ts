/** Points that the audit log can observe, as in the configuration. */
export const AUDIT_POINTS = [
  "message_receiving",
  "message_sending",
  "before_tool_call",
  "session_start",
  "session_end",
  "transform_response",
  "transcribe_audio",
] as const;
