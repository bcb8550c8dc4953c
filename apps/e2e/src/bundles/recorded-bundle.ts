import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const RECORDER = fileURLToPath(new URL("recorder.mjs", import.meta.url));

interface Handler {
  readonly type: string;
  readonly command?: string;
}
interface HooksFile {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly Handler[] }[]>>;
}

/**
 * Copies a bundle, whose hooks then run within the recorder: everything else is as it is published.
 * @param source - folder of the bundle
 * @param target - folder of the copy
 * @param log - file of the recorder
 */
export function recordBundle(source: string, target: string, log: string): void {
  cpSync(source, target, { recursive: true, dereference: true });
  const path = join(target, "hooks/hooks.json");
  writeFileSync(log, "");
  if (!existsSync(path)) return;
  const written: HooksFile = JSON.parse(readFileSync(path, "utf8"));
  const hooks = Object.entries(written.hooks).map(([event, groups]) => {
    let count = 0;
    const recorded = groups.map((group) => ({
      ...group,
      hooks: group.hooks.map((handler) => {
        count += 1;
        if (handler.command === undefined) return handler;
        const words = [process.execPath, RECORDER, log, `${event}-${count}`].map(quoted);
        return { ...handler, command: `${words.join(" ")} ${quoted(handler.command)}` };
      }),
    }));
    return [event, recorded];
  });
  writeFileSync(path, JSON.stringify({ ...written, hooks: Object.fromEntries(hooks) }));
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
