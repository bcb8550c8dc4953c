import { errorMessage } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { validatorOf } from "@openclaw/protocol/registry";
import type { Job } from "@openclaw/store";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { Type } from "typebox";
import type { CallAuthorizations } from "../external/call-authorizations.js";
import type {
  MessagesWire,
  WorkerHostPort,
  WorkerModelCall,
  WorkerModelFailure,
  WorkerModelReply,
} from "../model-port.js";
import type { WorkerSession } from "../session.js";
import type { WorkerConversation } from "./conversation.js";
import {
  callSchema,
  completionSchema,
  eventSchema,
  modelSchema,
  statusSchema,
  toolModelSchema,
  type WorkerModelRequest,
} from "./requests.js";
import type { WorkerTokens } from "./tokens.js";

const MOST_BODY_BYTES = 16 * 1024 * 1024;
const MOST_EVENTS = 1000;

/** A run that workers can ask about, and its conversation. */
export interface OpenWorker {
  readonly session: WorkerSession;
  readonly conversation: WorkerConversation;
  /** Decides about the calls of an external agent; undefined for a worker, whose sandbox is the boundary. */
  readonly authorizations?: CallAuthorizations | undefined;
}

/** Dependencies of {@link createWorkerApp}. */
export interface WorkerAppDependencies {
  readonly tokens: Pick<WorkerTokens, "isValid">;
  readonly host: Pick<WorkerHostPort, "callModel">;
  /** Wire of Anthropic's Messages API (JOB-531). */
  readonly messages: MessagesWire;
  /** Returns the run of a job; undefined when no worker works on it. */
  find(jobId: string): OpenWorker | undefined;
  /** Returns the further prompts of a job once, oldest first (JOB-393). */
  takePrompts(jobId: string): Promise<readonly string[]>;
  /**
   * Counts what a model call used for the budget of the job.
   * @param used - tokens, and millionths of a US dollar
   * @throws JobBudgetExceededError when the budget is used up
   */
  use(job: Job, used: { readonly tokens: number; readonly cost: number }): Promise<void>;
}

const status = validatorOf(statusSchema);
const events = validatorOf(
  Type.Union([eventSchema, Type.Array(eventSchema, { maxItems: MOST_EVENTS })]),
);
const completion = validatorOf(completionSchema);
const modelRequest = validatorOf(modelSchema);
const toolModelRequest = validatorOf(toolModelSchema);
const agentCall = validatorOf(callSchema);
/** A request for a prompt comes by itself, and does not count as progress. */
const WAITS = /\/prompt$/;
const MICRO = 1_000_000;

/**
 * Creates the API of workers (JOB-039). Each request names its job, and carries the token of that job (JOB-040).
 * @param dependencies - tokens, runs, models and prompts
 */
export function createWorkerApp(dependencies: WorkerAppDependencies): Hono {
  const { tokens, find, takePrompts, messages } = dependencies;
  const app = new Hono();
  app.get("/health", (context) => context.json({ status: "ok" }));
  app.use("/worker/:id/*", async (context, next) => {
    const jobId = context.req.param("id");
    const token = tokenOf(context);
    if ((await tokens.isValid(jobId, token)) && find(jobId) !== undefined) {
      if (!WAITS.test(context.req.path)) find(jobId)?.session.progressed();
      return await next();
    }
    const message = "the token is missing, expired, revoked or of another job";
    return failed(context, 401, "UNAUTHORIZED", message);
  });
  app.use(
    "/worker/:id/*",
    bodyLimit({
      maxSize: MOST_BODY_BYTES,
      onError: (context) =>
        failed(context, 413, "TOO_LARGE", `send at most ${MOST_BODY_BYTES} bytes`),
    }),
  );
  const workerOf = (context: Context): OpenWorker => {
    const worker = find(context.req.param("id") ?? "");
    if (worker === undefined) throw new Error("the run has ended");
    return worker;
  };
  app.get("/worker/:id/job", (context) => {
    const { title, description } = workerOf(context).session.job;
    return context.json({ title, description, project_dir: "/workspace" });
  });
  app.post("/worker/:id/status", async (context) => {
    const body = await read(context, status());
    if (body === undefined) return invalid(context);
    workerOf(context).session.status(body);
    return context.json({ ok: true });
  });
  for (const path of ["/worker/:id/event", "/worker/:id/events"]) {
    app.post(path, async (context) => {
      const body = await read(context, events());
      if (body === undefined) return invalid(context);
      const { session } = workerOf(context);
      for (const event of Array.isArray(body) ? body : [body]) session.report(event);
      return context.json({ ok: true });
    });
  }
  app.get("/worker/:id/prompt", async (context) => {
    const prompts = await takePrompts(workerOf(context).session.job.jobId);
    if (prompts.length === 0) return context.body(null, 204);
    return context.json({ content: prompts.join("\n\n"), done: false });
  });
  app.post("/worker/:id/complete", async (context) => {
    const body = await read(context, completion());
    if (body === undefined) return invalid(context);
    workerOf(context).session.complete(body);
    return context.json({ ok: true });
  });
  app.post("/worker/:id/llm/complete", async (context) => {
    const body = await read(context, modelRequest());
    return body === undefined ? invalid(context) : await callModel(context, body);
  });
  app.post("/worker/:id/llm/complete_with_tools", async (context) => {
    const body = await read(context, toolModelRequest());
    return body === undefined ? invalid(context) : await callModel(context, body);
  });
  app.post("/worker/:id/authorize", async (context) => {
    const body = await read(context, agentCall());
    if (body === undefined) return invalid(context);
    const { authorizations } = workerOf(context);
    if (authorizations === undefined) return context.notFound();
    return context.json(await authorizations.decide(body));
  });
  app.post("/worker/:id/anthropic/v1/messages", async (context) => {
    const worker = workerOf(context);
    return await messages(context, async ({ messages: sent, ...call }) => {
      const reply = await complete(worker, {
        ...call,
        messages: worker.conversation.restore(sent),
      });
      if (!("status" in reply)) worker.conversation.keep(reply.message);
      return reply;
    });
  });
  app.notFound((context) => failed(context, 404, "NOT_FOUND", "the worker API has no such path"));
  app.onError((error, context) => failed(context, 500, "INTERNAL", errorMessage(error)));
  return app;

  /** Calls the model of a run, and counts what it used. */
  async function complete(
    { session }: OpenWorker,
    call: Omit<WorkerModelCall, "job" | "model" | "sessionId" | "signal">,
  ): Promise<WorkerModelReply | WorkerModelFailure> {
    const { job, sessionId, model, signal } = session;
    try {
      const reply = await dependencies.host.callModel({ ...call, job, sessionId, model, signal });
      const { input = 0, output = 0, cost } = reply.usage;
      const used = { tokens: input + output, cost: Math.ceil(Number(cost?.usd ?? 0) * MICRO) };
      await dependencies.use(job, used);
      return reply;
    } catch (error) {
      // The class of the failure, never the request or a key (JOB-041).
      const code = OpenClawError.isInstance(error) ? error.code : "MODEL_FAILED";
      const message = errorMessage(error);
      return { status: 502, type: "server_error", code, message, shouldRetry: false };
    }
  }

  async function callModel(context: Context, request: WorkerModelRequest): Promise<Response> {
    const worker = workerOf(context);
    const { conversation } = worker;
    const { temperature, max_tokens: maxOutputTokens, tool_choice: toolChoice } = request;
    const reply = await complete(worker, {
      ...{ temperature, maxOutputTokens, toolChoice },
      ...conversation.read(request.messages),
      tools: request.tools ?? [],
    });
    if ("status" in reply) return failed(context, reply.status, reply.code, reply.message);
    return context.json(conversation.answer(reply.message, reply.usage));
  }
}

/** Returns the token of a request: as a bearer, or as the key of a client of the Messages API. */
function tokenOf(context: Context): string {
  const [scheme, token = ""] = (context.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? token : (context.req.header("x-api-key") ?? "");
}

interface Checker<Value> {
  Check(value: unknown): value is Value;
}

/** Returns the checked body of a request; undefined when it is not one. */
async function read<Value>(
  context: Context,
  validator: Checker<Value>,
): Promise<Value | undefined> {
  const body: unknown = await context.req.json().catch(() => undefined);
  return validator.Check(body) ? body : undefined;
}

function invalid(context: Context): Response {
  return failed(context, 400, "INVALID_REQUEST", "the body does not have the form of this request");
}

function failed(
  context: Context,
  code: 400 | 401 | 404 | 413 | 500 | 502,
  name: string,
  message: string,
): Response {
  return context.json({ error: { code: name, message } }, code);
}
