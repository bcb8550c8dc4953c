import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Errors that plugins leave to the process, and calls that would end it. */
export const PROCESS_GUARD = mutantsOf(
  "packages/plugin-loader",
  [
    {
      source: "faults/process-guard.ts",
      noticedBy: ["faults/process-guard"],
      mutants: [
        [
          "unhandled-error-is-not-attributed",
          "PLUG-071",
          'process.on("uncaughtException", onException);',
          "",
        ],
        [
          "rejection-is-reported-as-an-exception",
          "PLUG-071",
          'origin === "unhandledRejection" ? "rejection" : "exception"',
          '"exception"',
        ],
        [
          "error-of-the-host-is-survived",
          "PLUG-071",
          "process.stderr.write(`${error.stack ?? error.message}\\n`);\n  process.exit(UNCAUGHT);",
          "",
        ],
        [
          "error-without-a-stack-has-no-author",
          "PLUG-071",
          "if (byStack.length > 0 || scope === undefined) return byStack;",
          "if (true) return byStack;",
        ],
        [
          "stack-counts-less-than-the-call",
          "PLUG-071",
          "if (byStack.length > 0 || scope === undefined) return byStack;",
          "if (scope === undefined) return byStack;",
        ],
        ["every-host-is-told", "PLUG-071", "if (ofScope.length > 0) return ofScope;", ""],
        [
          "plugin-ends-the-process",
          "PLUG-071",
          "...ENDS.map((name) => refuse(name, () => true)),",
          "",
        ],
        [
          "plugin-kills-the-process",
          "PLUG-071",
          'refuse("kill", (pid) => pid === process.pid || pid === 0 || pid === -process.pid),',
          "",
        ],
        [
          "plugin-kills-the-group-of-the-process",
          "PLUG-071",
          " || pid === 0 || pid === -process.pid",
          "",
        ],
        [
          "plugin-kills-no-other-process",
          "PLUG-071",
          "(pid) => pid === process.pid || pid === 0 || pid === -process.pid",
          "() => true",
        ],
        [
          "first-host-that-stops-ends-the-guard",
          "PLUG-071",
          "if (guarded.delete(faults) && guarded.size === 0) unguard();",
          "guarded.delete(faults);\n    unguard();",
        ],
        [
          "guard-outlives-its-hosts",
          "PLUG-071",
          "if (guarded.delete(faults) && guarded.size === 0) unguard();",
          "guarded.delete(faults);",
        ],
      ],
    },
    {
      source: "faults/thrown-value.ts",
      noticedBy: ["packages/plugin-runtime/test/faults/attribution.test.ts"],
      mutants: [
        [
          "stack-that-a-message-quotes-counts",
          "PLUG-071",
          "return at === -1 ? stack : stack.slice(at + message.length);",
          "return stack;",
          ["faults/process-guard"],
        ],
        [
          "value-that-cannot-be-read-ends-the-process",
          "PLUG-071",
          'return { error: new Error("a value that cannot be shown"), frames: "" };',
          'throw new Error("unreadable");',
        ],
        [
          "error-without-a-stack-loses-its-message",
          "PLUG-071",
          'typeof stack === "string" ? withoutMessage(stack, text) : ""',
          "withoutMessage(stack as string, text)",
        ],
      ],
    },
    {
      source: "loading/stack-location.ts",
      noticedBy: ["packages/plugin-runtime/test/faults/attribution.test.ts"],
      mutants: [
        ["frames-without-a-url-are-not-seen", "PLUG-071", "placeAfter(line, path) ?? ", ""],
        ["end-of-another-path-is-blamed", "PLUG-071", "if (at > 0 && ", "if (false && "],
      ],
    },
    {
      source: "faults/plugin-faults.ts",
      noticedBy: ["faults/process-guard"],
      mutants: [
        [
          "outer-folder-is-blamed",
          "PLUG-071",
          "sort(([a], [b]) => b.length - a.length)",
          "sort(([a], [b]) => a.length - b.length)",
        ],
        [
          "host-in-the-folder-of-a-plugin-is-blamed",
          "PLUG-071",
          "return isOfHost ? undefined : { pluginId, place };",
          "return { pluginId, place };",
        ],
        [
          "longest-folder-in-a-stack-is-blamed",
          "PLUG-071",
          "for (const line of stackLines(stack)) {",
          "for (const line of [stack]) {",
          ["packages/plugin-runtime/test/faults/attribution.test.ts"],
        ],
        [
          "receiver-that-fails-ends-the-process",
          "PLUG-071",
          "} catch (problem) {\n",
          "} catch (problem) {\n      throw problem;\n",
          ["packages/plugin-runtime/test/faults/attribution.test.ts"],
        ],
      ],
    },
  ],
  "apart",
);
