import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Changes of built-in objects. */
export const CHANGED_BUILT_INS = mutantsOf(
  "packages/plugin-loader",
  [
    {
      source: "faults/built-ins.ts",
      noticedBy: ["packages/plugin-runtime/test/faults/pollution.test.ts"],
      mutants: [
        [
          "replaced-prototype-is-not-noticed",
          "PLUG-070",
          "getPrototypeOf(builtIn.object) === builtIn.prototype",
          "true",
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
          "size !== undefined && !(isChainKnown && hasSize(object, size))",
          "false",
        ],
        [
          "replaced-accessor-is-not-noticed",
          "PLUG-070",
          'hasOwn(now, "get") && now.get === descriptor.get && now.set === descriptor.set',
          "true",
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
          'builtIns.push(readBuiltIn("globalThis", globalThis, undefined, globals));',
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
        [
          "accessor-of-a-plugin-is-called",
          "PLUG-070",
          'hasOwn(now, "value") && is(now.value, value)',
          "is(Reflect.get(object, key), value)",
        ],
        [
          "field-of-descriptors-prevents-restoring",
          "PLUG-070",
          "if (descriptor !== undefined) setPrototypeOf(descriptor, null);",
          "",
        ],
      ],
    },
    {
      source: "faults/built-ins-watch.ts",
      noticedBy: ["packages/plugin-runtime/test/faults/pollution.test.ts"],
      mutants: [
        [
          "change-at-register-is-blamed-on-no-one",
          "PLUG-070",
          "if (call.isAlone) blame(call.caller, changes);\n    else ",
          "",
        ],
        [
          "change-when-a-call-returns-is-not-looked-for",
          "PLUG-070",
          "const changes = this.#takeChanges(isThorough);",
          "const changes: readonly RestoredChange[] = [];",
        ],
        [
          "change-when-a-call-settles-is-not-looked-for",
          "PLUG-070",
          "const changes = this.#takeChanges(call.isThorough);",
          "const changes: readonly RestoredChange[] = [];",
        ],
        [
          "plugin-is-blamed-for-a-timer",
          "PLUG-070",
          "else this.#reportUnknown(this.#takeChanges(isThorough), caller.owner);",
          "else blame(caller, this.#takeChanges(isThorough));",
        ],
        [
          "change-before-a-call-is-not-looked-for",
          "PLUG-070",
          "else this.#reportUnknown(this.#takeChanges(isThorough), caller.owner);",
          "",
        ],
        [
          "load-is-blamed-although-a-call-began-after-it",
          "PLUG-070",
          "for (const each of this.#pending) if (each.caller !== caller) each.isAlone = false;",
          "",
        ],
        [
          "load-is-blamed-although-a-call-began-before-it",
          "PLUG-070",
          "isLoad && this.#suspects().every((suspect) => suspect === caller)",
          "isLoad",
        ],
        ["handler-is-blamed-after-an-await", "PLUG-070", "isAlone: isLoad && ", "isAlone: "],
        [
          "load-is-blamed-for-an-older-change",
          "PLUG-070",
          'const isThorough = check !== "sampled" ||',
          'const isThorough = check === "complete" ||',
        ],
        ["call-inside-of-another-leaves-a-change", "PLUG-070", " || this.#thoroughRunning > 0", ""],
        [
          "sampled-call-is-blamed-for-an-older-change",
          "PLUG-070",
          "isThorough || change.isInheritedByAll",
          "true",
        ],
        [
          "change-that-stays-is-reported-at-every-call",
          "PLUG-070",
          "this.#builtIns = new BuiltIns(this.#scope);\n    return restored;",
          "return restored;",
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
      noticedBy: ["packages/plugin-runtime/test/faults/pollution.test.ts"],
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
