import type { GatewayMethodResult } from "@openclaw/protocol";
import { call, mayCall } from "../../../state/link.js";

type Command = GatewayMethodResult<"commands.list">["commands"][number];

/** Proposal for what a person writes. */
export interface Proposal {
  /** Draft with the proposal in it. */
  readonly draft: string;
  readonly name: string;
  readonly note: string;
}

const MOST = 8;

let commands: Promise<readonly Command[]> | undefined;

/**
 * Returns proposals for a draft that begins with a slash: names of commands, then values for the arguments.
 * @param draft - text of the composer
 */
export async function proposalsFor(draft: string): Promise<readonly Proposal[]> {
  if (!/^\/[^\n]*$/.test(draft)) return [];
  const [, name = "", args] = /^\/(\S*)(?:\s(.*))?$/.exec(draft) ?? [];
  if (args !== undefined) return valuesFor(draft, name, args);
  if (!mayCall("commands.list")) return [];
  // Plugins change the commands, so that each beginning reads them again.
  if (draft === "/") commands = undefined;
  commands ??= call("commands.list", {}).then((listed) => listed.commands);
  let all: readonly Command[];
  try {
    all = await commands;
  } catch {
    // A lost connection, which the status line shows; the next letter reads them again.
    commands = undefined;
    return [];
  }
  const typed = name.toLowerCase();
  return all
    .filter((each) => [each.name, ...each.aliases].some((one) => one.startsWith(typed)))
    .slice(0, MOST)
    .map(({ name: found, usage, summary }) => ({
      draft: `/${found}${usage === undefined ? "" : " "}`,
      name: `/${found}${usage === undefined ? "" : ` ${usage}`}`,
      note: summary,
    }));
}

async function valuesFor(draft: string, name: string, args: string): Promise<readonly Proposal[]> {
  if (!mayCall("commands.complete")) return [];
  const { values } = await call("commands.complete", { name, args }).catch(() => ({ values: [] }));
  const last = /\S*$/.exec(args)?.[0] ?? "";
  const before = draft.slice(0, draft.length - last.length);
  return values
    .slice(0, MOST)
    .map((value: string) => ({ draft: `${before}${value} `, name: value, note: "" }));
}
