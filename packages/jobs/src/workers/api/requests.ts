import { type Static, Type } from "typebox";

/** Types of events of workers (JOB-039). */
const WORKER_EVENT_TYPES = ["message", "tool_use", "tool_result", "result", "status"] as const;

const whole = Type.Integer({ minimum: 0 });

export const statusSchema = Type.Object({
  state: Type.String({ minLength: 1, maxLength: 64 }),
  message: Type.Optional(Type.String({ maxLength: 4096 })),
  iteration: whole,
  /** Session of an external agent, with which a later run continues. */
  session_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
});

/** Call of a tool of an external agent, in the names of the host. */
export const callSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 256 }),
  tool: Type.String({ minLength: 1, maxLength: 64 }),
  params: Type.Record(Type.String(), Type.Unknown()),
});

export const eventSchema = Type.Object({
  event_type: Type.Enum([...WORKER_EVENT_TYPES]),
  data: Type.Record(Type.String(), Type.Unknown()),
});

export const completionSchema = Type.Object({
  success: Type.Boolean(),
  message: Type.Optional(Type.String()),
  iterations: whole,
});

const toolCallSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 256 }),
  name: Type.String({ minLength: 1, maxLength: 256 }),
  arguments: Type.Unknown(),
});

const messageSchema = Type.Object({
  role: Type.Enum(["system", "user", "assistant", "tool"]),
  content: Type.String(),
  tool_calls: Type.Optional(Type.Array(toolCallSchema)),
  tool_call_id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
});

const modelFields = {
  messages: Type.Array(messageSchema, { minItems: 1, maxItems: 2000 }),
  max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
};

export const modelSchema = Type.Object(modelFields);

export const toolModelSchema = Type.Object({
  ...modelFields,
  tools: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 64 }),
      description: Type.String(),
      parameters: Type.Record(Type.String(), Type.Unknown()),
    }),
    { maxItems: 32 },
  ),
  tool_choice: Type.Optional(Type.Enum(["auto", "required", "none"])),
});

export type WorkerStatus = Static<typeof statusSchema>;
export type AgentCall = Static<typeof callSchema>;
export type WorkerEvent = Static<typeof eventSchema>;
export type WorkerCompletion = Static<typeof completionSchema>;
export type WorkerMessage = Static<typeof messageSchema>;
export type WorkerToolCall = Static<typeof toolCallSchema>;
export type WorkerModelRequest = Static<typeof modelSchema> &
  Partial<Static<typeof toolModelSchema>>;

/** Answer to a model call of a worker. */
export interface WorkerModelAnswer {
  readonly content: string;
  readonly tool_calls: readonly WorkerToolCall[];
  readonly finish_reason: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Decision of the host about a call of an external agent. */
export interface AgentCallDecision {
  readonly allowed: boolean;
  /** Why it is denied. */
  readonly reason?: string | undefined;
}
