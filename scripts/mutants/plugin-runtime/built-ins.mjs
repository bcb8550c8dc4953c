import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Changes of built-in objects. */
export const CHANGED_BUILT_INS = mutantsOf(
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
          "const result = await this.run(work, kind);",
          "return await this.run(work, kind);",
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
  ],
  "apart",
);
