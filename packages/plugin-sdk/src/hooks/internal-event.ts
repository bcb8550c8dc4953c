/** Events of older plugins, named `type:action`; a bare type receives all its actions (LIFE-040). */
export type InternalEventName =
  | "command"
  | "command:new"
  | "command:reset"
  | "command:stop"
  | "agent"
  | "agent:bootstrap"
  | "gateway"
  | "gateway:startup"
  | "session"
  | "session:start"
  | "session:end"
  | "message"
  | "message:received"
  | "message:sent"
  | "message:edited"
  | "message:reaction";

/** Event of an older plugin: the only argument of its handler. See {@link InternalEventName}. */
export interface InternalEvent {
  readonly type: "command" | "agent" | "gateway" | "session" | "message";
  /** Part of the name after the colon; for `command` the name of the command without the slash. */
  readonly action: string;
  /** Key of the session; empty for events of the gateway. */
  readonly sessionKey: string;
  readonly timestamp: Date;
  /** Strings that a handler of a command pushes are sent to the user after the command's own reply (LIFE-041). */
  readonly messages: string[];
  /** Further fields of the event. */
  readonly context: Readonly<Record<string, unknown>>;
}
