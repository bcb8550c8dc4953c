import { displayUsd, parseUsd } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { type Field, printFields } from "../shell/fields.js";

type ModelTest = GatewayMethodResult<"models.test">;

/**
 * Runs `openclaw models test`: calls a model once and prints time, tokens and cost. A failure is reported by the error
 * of the model, which names the next step.
 * @param model - name of the model; that in use when absent
 * @param options - format
 * @param context - terminal and environment
 */
export async function testModelCommand(
  model: string | undefined,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const result = await withGatewayMethods(context, (call) =>
    call("models.test", model === undefined ? {} : { model }),
  );
  if (json) terminal.print(JSON.stringify(result));
  else printFields(fieldsOf(result), terminal);
  return EXIT.ok;
}

function fieldsOf({ model, isDemo, text, firstTokenMs, durationMs, usage }: ModelTest): Field[] {
  const { input, output, cost } = usage;
  const first = firstTokenMs === undefined ? "" : `, the first part after ${firstTokenMs} ms`;
  const amount = displayUsd(parseUsd(cost?.usd ?? "0") ?? 0n);
  return [
    ["model", `${model}${isDemo ? " (a scripted stand-in, not a language model)" : ""}`],
    ["reply", text === "" ? "(no text)" : text.replace(/\s+/g, " ")],
    ["time", `${durationMs} ms${first}`],
    ["tokens", `${input ?? "unknown"} input, ${output ?? "unknown"} output`],
    ["cost", `${cost?.estimated ? "about " : ""}${amount}`],
  ];
}
