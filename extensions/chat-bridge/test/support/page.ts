import { readFileSync } from "node:fs";

/** A page of a platform in `docs/operate/channels/`. */
export interface PlatformPage {
  /** Its numbered steps. */
  readonly steps: readonly string[];
  /** Commands of its steps, in order. */
  readonly commands: readonly string[];
  /** Blocks of code by language. */
  block(language: string): string;
}

/**
 * Reads the page of a platform.
 * @param name - name of the file without its ending
 */
export function platformPage(name: string): PlatformPage {
  const file = new URL(`../../../../docs/operate/channels/${name}.md`, import.meta.url);
  const text = readFileSync(file, "utf8");
  const steps = [...text.matchAll(/^\d+\. (?:.+\n?)(?: {3,}.+\n?)*/gm)].map(([step]) =>
    step.replaceAll(/\s+/g, " "),
  );
  const commands = steps.flatMap((step) =>
    [...step.matchAll(/`((?:openclaw|npm) [^`]+)`/g)].map(([, command = ""]) => command),
  );
  return {
    steps,
    commands,
    block: (language) => text.split(`\`\`\`${language}\n`)[1]?.split("\n```")[0] ?? "",
  };
}

/** Returns the settings that the steps store as secrets. */
export function storedSettings({ commands }: PlatformPage): readonly string[] {
  return commands.flatMap((command) => /--secret (\w+)/.exec(command)?.[1] ?? []);
}
