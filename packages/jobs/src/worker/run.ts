import { errorMessage } from "@openclaw/foundation";
import type { WorkerMessage } from "../workers/api/requests.js";
import type { WorkerArguments } from "./arguments.js";
import { WorkerClient } from "./client.js";
import { openEgress } from "./egress.js";
import { WorkerTools } from "./tools.js";

const SYSTEM =
  "You work on a background job in a sandbox: no user reads along or answers. The workspace is a copy, whose changes a person reviews afterwards. Work with the tools until the task is done. Your last message is the result, and is delivered to the person who asked; make it complete and self-contained.";
/** Length of a report about a tool, in characters. */
const MOST_REPORT = 4096;

/**
 * Works on a job with a model of the host and the tools of this process, until the model answers without a call.
 * @param given - job, URL of the host, token and number of model calls
 * @param place - workspace, and variables of commands
 * @returns the exit code of the process
 */
export async function runWorker(
  given: WorkerArguments,
  {
    workspaceDir,
    environment,
    signal,
  }: {
    readonly workspaceDir: string;
    readonly environment: NodeJS.ProcessEnv;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const client = new WorkerClient(given);
  const network = given.egress === undefined ? {} : await openEgress(given.egress);
  const tools = new WorkerTools(workspaceDir, { ...environment, ...network }, Object.keys(network));
  let iterations = 0;
  try {
    const { title, description } = await client.job();
    await client.status({ state: "running", message: title, iteration: 0 });
    const messages: WorkerMessage[] = [
      { role: "system", content: SYSTEM },
      { role: "user", content: description },
    ];
    while (iterations < given.maxIterations) {
      signal.throwIfAborted();
      const further = await client.prompt();
      if (further !== undefined) messages.push({ role: "user", content: further.content });
      iterations += 1;
      const answer = await client.completeWithTools({ messages, tools: [...tools.offered()] });
      const { content, tool_calls: calls } = answer;
      messages.push({ role: "assistant", content, tool_calls: [...calls] });
      if (content !== "") await client.events([{ event_type: "message", data: { text: content } }]);
      if (calls.length === 0) {
        // A prompt that came meanwhile is part of the task.
        const last = await client.prompt();
        if (last === undefined) {
          await client.complete({ success: true, message: content, iterations });
          return 0;
        }
        messages.push({ role: "user", content: last.content });
        continue;
      }
      for (const call of calls) {
        const { name, id } = call;
        const text = JSON.stringify(call.arguments).slice(0, MOST_REPORT);
        await client.events([{ event_type: "tool_use", data: { tool: name, text } }]);
        const result = await tools.call(call, signal);
        messages.push({ role: "tool", content: result, tool_call_id: id, name });
        const shown = { tool: name, text: result.slice(0, MOST_REPORT) };
        await client.events([{ event_type: "tool_result", data: shown }]);
      }
      await client.status({ state: "running", iteration: iterations });
    }
    const message = `it used its ${given.maxIterations} model calls without coming to an end`;
    await client.complete({ success: false, message, iterations });
    return 1;
  } catch (error) {
    const message = errorMessage(error);
    // The host may be what failed.
    await client.complete({ success: false, message, iterations }).catch(() => undefined);
    process.stderr.write(`${message}\n`);
    return 1;
  }
}
