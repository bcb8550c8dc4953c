import { Option } from "commander";

/** Returns the option `--model` of commands that host agents. */
export function modelOption(): Option {
  return new Option("--model <provider/model>", "model to use in this process");
}

/** Returns the option `--plugin`, which can be repeated. */
export function pluginOption(): Option {
  return new Option(
    "--plugin <path>",
    "also load a plugin from a file or folder (repeatable)",
  ).argParser(collect);
}

/** Returns the option `--approve-tool`, which can be repeated. */
export function approveToolOption(): Option {
  return new Option(
    "--approve-tool <name>",
    "let a tool run without approval in this process (repeatable); `exec` covers commands made of literal words, `exec=any` every command that is not destructive",
  ).argParser(collect);
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
