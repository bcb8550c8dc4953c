import type { Readable, Writable } from "node:stream";
import type { CommandArguments } from "./command-arguments.js";
import {
  PLUGIN_KINDS,
  PLUGIN_LANGUAGES,
  type PluginKind,
  type PluginLanguage,
} from "./plugin-kind.js";
import { isPluginId } from "./plugin-names.js";

/** Answers to the prompts. */
export type Answers = {
  readonly [Name in "id" | "kind" | "language"]: NonNullable<CommandArguments[Name]>;
};

/**
 * Prompts for the missing arguments at the terminal.
 * @param given - arguments of the command line
 * @param suggestedId - default id
 * @param streams - streams of the terminal
 * @returns undefined when the user cancelled
 */
export async function askQuestions(
  given: CommandArguments,
  suggestedId: string,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<Answers | undefined> {
  const { intro, text, select, isCancel, cancel } = await import("@clack/prompts");
  const streams = { input, output };
  intro("A new OpenClaw plugin", streams);
  const giveUp = () => {
    cancel("Nothing was written.", streams);
    return undefined;
  };

  const id =
    given.id ??
    (await text({
      ...streams,
      message: "Plugin ID?",
      placeholder: suggestedId,
      defaultValue: suggestedId,
      validate: (value) =>
        value === undefined || value === "" || isPluginId(value)
          ? undefined
          : "Use lower-case letters, digits and . _ -, for example my-plugin.",
    }));
  if (isCancel(id)) return giveUp();
  const kind =
    given.kind ??
    (await select({ ...streams, message: "Plugin kind?", options: choices(PLUGIN_KINDS) }));
  if (isCancel(kind)) return giveUp();
  const language =
    given.language ??
    (await select({
      ...streams,
      message: "Language?",
      options: choices(PLUGIN_LANGUAGES),
    }));
  if (isCancel(language)) return giveUp();
  return { id, kind, language };
}

function choices<Name extends PluginKind | PluginLanguage>(
  texts: Readonly<Record<Name, string>>,
): { value: Name; label: string; hint: string }[] {
  return (Object.keys(texts) as Name[]).map((value) => ({
    value,
    label: value,
    hint: texts[value],
  }));
}
