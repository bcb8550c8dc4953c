import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Changed built-in objects, and what plugins leave to the process. */
export const PLUGIN_FAULTS = mutantsOf(
  "packages/plugin-runtime",
  [
    {
      source: "faults/built-ins.ts",
      noticedBy: ["faults/pollution"],
      mutants: [
        [
          "replaced-prototype-is-not-noticed",
          "PLUG-070",
          "if (getPrototypeOf(object) !== prototype) {",
          "if (false) {",
        ],
        [
          "replaced-member-is-not-noticed",
          "PLUG-070",
          "property !== undefined && !isSame(object, property)",
          "false",
        ],
        [
          "added-member-is-not-noticed",
          "PLUG-070",
          "if (size !== undefined) collectAdditions(builtIn, found);",
          "",
        ],
        [
          "replaced-accessor-is-not-noticed",
          "PLUG-070",
          "now !== undefined && now.get === descriptor.get && now.set === descriptor.set",
          "now !== undefined",
        ],
        [
          "frozen-object-is-not-noticed",
          "PLUG-070",
          "if (isExtensible(object) !== builtIn.isExtensible) {",
          "if (false) {",
        ],
        [
          "replaced-global-is-not-noticed",
          "PLUG-070",
          'builtIns.push(readBuiltIn("globalThis", globalThis, undefined, names));',
          "",
        ],
        [
          "prototypes-without-a-name-are-not-watched",
          "PLUG-070",
          "for (const [name, object] of hiddenPrototypes()) addPrototype(name, object);",
          "",
        ],
        [
          "polyfill-fails",
          "PLUG-070",
          "    add(name, value);\n",
          "    addPrototype(name, value);\n",
        ],
        [
          "reader-of-stacks-fails",
          "PLUG-070",
          "if (descriptor === undefined || SETTINGS.includes(name)) return [];",
          "if (descriptor === undefined) return [];",
        ],
        [
          "enumerable-addition-waits-for-a-sample",
          "PLUG-070",
          "return inheritedByAll() !== this.#enumerable;",
          "return false;",
        ],
        [
          "removed-member-stays-removed",
          "PLUG-070",
          "restore: () => defineProperty(object, key, descriptor),",
          "restore: () => true,",
        ],
        [
          "added-member-stays",
          "PLUG-070",
          "restore: () => deleteProperty(object, key),",
          "restore: () => true,",
        ],
        [
          "replaced-prototype-stays",
          "PLUG-070",
          "restore: () => setPrototypeOf(object, prototype),",
          "restore: () => true,",
        ],
      ],
    },
    {
      source: "faults/built-ins-watch.ts",
      noticedBy: ["faults/pollution"],
      mutants: [
        [
          "change-at-register-is-blamed-on-no-one",
          "PLUG-070",
          'isThoroughAtEnd: isThorough || check !== "sampled",',
          "isThoroughAtEnd: false,",
        ],
        [
          "change-when-a-call-returns-is-not-looked-for",
          "PLUG-070",
          "this.#check(call.isThoroughAtReturn, call.caller, () => [call.caller]);",
          "",
        ],
        [
          "change-when-a-call-settles-is-not-looked-for",
          "PLUG-070",
          "this.#check(call.isThoroughAtEnd, call.caller, () => this.#suspects());",
          "",
        ],
        [
          "plugin-is-blamed-for-a-timer",
          "PLUG-070",
          "else this.#check(isThorough, caller, () => this.#suspects());",
          "else this.#check(isThorough, caller, () => [caller]);",
        ],
        [
          "change-before-a-call-is-not-looked-for",
          "PLUG-070",
          "else this.#check(isThorough, caller, () => this.#suspects());",
          "",
        ],
        [
          "first-of-several-suspects-is-blamed",
          "PLUG-070",
          "if (suspects.length === 1 && suspect !== undefined) {",
          "if (suspect !== undefined) {",
        ],
        [
          "change-that-stays-is-reported-at-every-call",
          "PLUG-070",
          "this.#builtIns = new BuiltIns();\n    this.#accuse",
          "this.#accuse",
        ],
        [
          "calls-that-the-host-gave-up-are-suspected",
          "PLUG-070",
          "for (const call of this.#pending) if (call.caller === caller) this.#pending.delete(call);",
          "",
        ],
        [
          "calls-that-wait-are-suspected",
          "PLUG-070",
          "filter(({ startedAt }) => startedAt > since)",
          "filter(() => true)",
        ],
      ],
    },
    {
      source: "faults/plugin-scope.ts",
      noticedBy: ["faults/pollution"],
      mutants: [
        [
          "plugin-that-pollutes-is-loaded",
          "PLUG-070",
          "if (this.#refusal !== undefined) throw this.#refusal;",
          "",
        ],
        ["later-pollution-is-no-fault", "PLUG-070", "else this.owner.polluted(error);", ""],
        [
          "failing-load-goes-on",
          "PLUG-070",
          "} finally {\n      this.#isLoading = false;",
          "} finally {\n      this.#isLoading = true;",
        ],
        [
          "call-that-throws-is-not-checked",
          "PLUG-070",
          "} catch (error) {\n      builtInsWatch.returned(call, true);\n",
          "} catch (error) {\n",
        ],
        [
          "code-runs-in-no-scope",
          "PLUG-071",
          "result = current.run(this, work);",
          "result = work();",
          ["faults/process-guard"],
        ],
      ],
    },
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
          "process.stderr.write(`${asError.stack}\\n`);\n  process.exit(UNCAUGHT);",
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
        [
          "stack-that-a-message-quotes-counts",
          "PLUG-071",
          "return at === -1 ? stack : stack.slice(at + message.length);",
          "return stack;",
        ],
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
          "if (!isOfHost) return { pluginId, place };",
          "return { pluginId, place };",
        ],
      ],
    },
  ],
  "apart",
);

/** Faults that are counted. */
export const FAULT_LOG = mutantsOf("packages/gateway", [
  {
    source: "plugins/faults.ts",
    noticedBy: ["plugins/faults"],
    mutants: [
      [
        "faults-disable-no-plugin",
        "PLUG-071",
        "disable(pluginId).catch(",
        "Promise.resolve().catch(",
      ],
      [
        "plugin-is-disabled-one-fault-late",
        "PLUG-071",
        "if (recent.length < FAULT_LIMIT) return;",
        "if (recent.length <= FAULT_LIMIT) return;",
      ],
      ["faults-count-for-ever", "PLUG-071", "(at) => at > now() - FAULT_WINDOW_MS,", "() => true,"],
      [
        "disabled-plugin-is-disabled-again",
        "PLUG-071",
        "if (isInactive(pluginId)) return tellInactive(fault);",
        "",
      ],
      ["disabled-plugin-fills-the-log", "PLUG-071", "if (isTold) return;", ""],
    ],
  },
]);
