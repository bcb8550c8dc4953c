import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { readCapabilities } from "../../src/capabilities/file.js";
import { ComponentCache } from "../../src/component/cache.js";
import { prepareComponent } from "../../src/component/preparation.js";
import { ComponentTest, type FakeHost } from "../../src/testing/component-test.js";
import { WorkerPool } from "../../src/worker/pool.js";
import { seededRandom } from "../support/random.js";

type Inputs = readonly (readonly [name: string, ...args: unknown[]])[];

/** Prepares a component twice: with instrumented core modules, and with those of the transpiler. */
async function bothForms(name: string, host: FakeHost) {
  const file = (ending: string) =>
    fileURLToPath(new URL(`../../examples/${name}/${name}${ending}`, import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "wasm-forms-"));
  const pool = new WorkerPool({ workers: 1 });
  onTestFinished(async () => {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  });
  const bytes = await readFile(file(".wasm"));
  const text = await readFile(file(".capabilities.json"), "utf8").catch(() => undefined);
  const { capabilities } = readCapabilities(name, text);
  const cache = new ComponentCache(join(folder, "counted"), "1.0.0");
  const counted = await prepareComponent(name, bytes, { cache, pool });
  const made = await pool.transpiler.transpile(bytes);
  if ("problem" in made) throw new Error(made.problem);
  const glue = made.files.find(([path]) => path.endsWith(".js"))?.[1] ?? new Uint8Array();
  const modules = made.files
    .filter(([path]) => path.endsWith(".wasm"))
    .map(([path, content]) => ({ name: path, bytes: content, pages: 0, tables: 0 }));
  const plainCache = new ComponentCache(join(folder, "plain"), "1.0.0");
  await plainCache.write(counted.hash, counted.world, { glue, modules }, counted.tool);
  const plain = await plainCache.read(counted.hash);
  if (plain === undefined) throw new Error("the plain form was not written");
  return [counted, plain].map(
    (prepared) => new ComponentTest({ name, prepared, capabilities, pool, folder }, host),
  );
}

/** Calls a component with each input, and returns all that can be seen of it from outside. */
async function observed(component: ComponentTest, inputs: Inputs) {
  const calls: unknown[] = [];
  let fuel = 0;
  for (const [name, ...args] of inputs) {
    const outcome = await component.call(name, ...args).then(
      (call) => {
        fuel += call.fuel;
        return { value: call.value, emitted: call.emitted };
      },
      (error: Error) => ({ error: error.message }),
    );
    calls.push({ input: `${name} ${JSON.stringify(args)}`.slice(0, 300), ...outcome });
  }
  const requests = await Promise.all(
    component.requests.map(async (request) => [
      ...[request.method, request.url, [...request.headers]],
      await request.text(),
    ]),
  );
  return { seen: { calls, requests, logs: component.logs, files: [...component.files] }, fuel };
}

const UNITS = "mm cm m km in ft yd mi nmi g kg t oz lb ml l gal s min h d K C F parsec".split(" ");
const TEXTS = ["", "plain", 'A "quoted" title', "Grüße \u{1f600}", "\\u0000\\n", "x".repeat(500)];
const JSON_TEXTS = ["", "{", "[]", "7", '{"a":', '{"text":{"from":[1,2,{"x":null}]}}', "\ud800"];

function inputsOf(random: (below: number) => number) {
  const pick = <Value>(values: readonly Value[]) => values[random(values.length)] as Value;
  const number = () => pick([0, -1, 1.5, 1e-9, 1e21, -273.15, random(1e6) / 7, random(1e9)]);
  const execute = (params: unknown): Inputs[number] => [
    "execute",
    { params: typeof params === "string" ? params : JSON.stringify(params), context: undefined },
  ];
  const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);
  const letter = () => ({ from: pick(TEXTS), text: pick(TEXTS), thread: pick(TEXTS) });
  const request = (body: string): Inputs[number] => [
    "onHttpRequest",
    {
      ...{ method: "POST", path: "/webhook/letterbox", headersJson: "{}", queryJson: "{}" },
      ...{ body: Buffer.from(body), secretValidated: true },
    },
  ];
  const bad = JSON_TEXTS.map(execute);
  return {
    "unit-converter": [
      ...bad,
      ...times(80, () => execute({ value: number(), from: pick(UNITS), to: pick(UNITS) })),
    ],
    "open-issues": [
      ...bad,
      ...times(30, () =>
        execute({ repository: pick(["a/b", "../../user", "o/r.s", ""]), count: number() }),
      ),
    ],
    letterbox: [
      ["onStart", "{}"],
      ["onStart", '{"reply_url":"https://letters.example.com/answers"}'],
      ...JSON_TEXTS.map(request),
      ...times(15, () => request(JSON.stringify(letter()))),
      ...times(15, (): Inputs[number] => [
        "onRespond",
        {
          ...{ messageId: "1", content: pick(TEXTS), threadId: pick([undefined, "t1"]) },
          metadataJson: pick([...JSON_TEXTS, '{"to":"alice"}']),
        },
      ]),
      ["onPoll"],
      ["onShutdown"],
    ],
  } satisfies Record<string, Inputs>;
}

describe("example components", () => {
  it.each(Object.entries(inputsOf(seededRandom(11))))(
    "[WASM-016] the instrumented %s does what the plain one does, for every input",
    async (name, inputs: Inputs) => {
      const body = [{ number: 7, title: 'A "quoted" title', user: { login: "ål\u{1f600}" } }, {}];
      const answers = ["[]", JSON.stringify(body), "{", "", "x".repeat(20_000)];
      const forms = await bothForms(name, {
        secrets: { github_token: "token-of-github" },
        // By the URL and the body, so that both forms receive the same.
        respond: async (request) => {
          const { length } = request.url + (await request.text());
          return new Response(answers[length % answers.length], {
            status: [200, 200, 404, 500][length % 4] ?? 200,
          });
        },
      });
      const [counted, plain] = await Promise.all(forms.map((form) => observed(form, inputs)));
      expect(counted?.seen).toEqual(plain?.seen);
      expect(plain?.fuel).toBe(0);
      expect(counted?.fuel).toBeGreaterThan(inputs.length);
      const errors = counted?.seen.calls.filter((call) => "error" in Object(call)) ?? [];
      expect(errors.length).toBeLessThan(inputs.length / 4);
    },
  );
});
