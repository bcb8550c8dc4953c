import { stderr } from "node:process";
import type { CliContext } from "@openclaw/plugin-sdk/plugin-entry";
import { type Envelope, failure } from "../envelope/envelope.js";
import { GATES_METHOD, type GatesAhead } from "../gates/ahead.js";
import { callMethod } from "./gateway.js";

/** Source and session of a run. */
export interface RunAhead {
  readonly sessionKey: string;
  readonly pipeline?: string | undefined;
  readonly filePath?: string | undefined;
  readonly cwd?: string | undefined;
}

/**
 * Says before the first step that a gate will be denied because no approver can be reached (LOB-840).
 * @param context - command line
 * @param run - source and session of the run
 * @param yes - true runs also what will stop at such a gate
 * @returns the failure of a run that must not begin; undefined when it can begin
 */
export async function refuseUnattended(
  context: CliContext,
  run: RunAhead,
  yes: boolean,
): Promise<Envelope | undefined> {
  const ahead = await gatesAhead(context, run);
  if (ahead?.approval !== "denied" || ahead.gates.length === 0) return undefined;
  const certain = ahead.gates.find(({ isCertain }) => isCertain);
  if (certain !== undefined && !yes) {
    return failure(
      "denied",
      `the gate "${certain.id}" needs a person, and no approver can be reached; nothing has run`,
      certain.id,
    );
  }
  const names = ahead.gates.map(({ id }) => `"${id}"`).join(", ");
  const gates = ahead.gates.length === 1 ? `the gate ${names}` : `the gates ${names}`;
  stderr.write(
    `openclaw: no approver can be reached: ${gates} will be denied if the run comes to it\n`,
  );
  return undefined;
}

/** Returns undefined for a run that cannot be described; then the run itself says what is wrong. */
async function gatesAhead(
  context: CliContext,
  { sessionKey, pipeline, filePath, cwd }: RunAhead,
): Promise<GatesAhead | undefined> {
  const params = { sessionKey, pipeline, filePath, cwd };
  try {
    return (await callMethod(
      context,
      GATES_METHOD,
      JSON.parse(JSON.stringify(params)),
    )) as GatesAhead;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "INVALID_REQUEST") {
      return undefined;
    }
    throw error;
  }
}
