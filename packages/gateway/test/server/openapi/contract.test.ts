import { randomUUID } from "node:crypto";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { gatewayMethods } from "@openclaw/protocol";
import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "../../../src/running-gateway.js";
import { startTestGateway } from "../../support/gateway.js";
import { type PlainSchema, schemaArbitrary } from "../../support/schema-arbitrary.js";
import { scriptedProvider } from "../../support/scripted-provider.js";

const TOKEN = "a-token-that-nobody-else-knows";
const SESSION = "agent:main:main";
/** Inputs of each method; a method that reads has two operations, which share them. */
const RUNS = 6;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: PlainSchema;
    readonly content?: Readonly<Record<string, { readonly schema: PlainSchema }>>;
  }[];
  readonly body: PlainSchema | undefined;
  readonly responses: Readonly<Record<string, PlainSchema>>;
}

let folder: TemporaryFolder;
let gateway: Gateway;
let document: Record<string, unknown>;

beforeAll(async () => {
  folder = temporaryFolder();
  folder.write({ "openclaw.json": `{ gateway: { auth: { token: "${TOKEN}" } } }` });
  gateway = await startTestGateway(folder, {
    port: 0,
    model: "scripted/script",
    inlinePlugins: [
      {
        id: "probe",
        register: (api) => {
          const model = createScriptedModel(() => ({ text: "ok" }));
          api.registerProvider(scriptedProvider(model));
          api.registerSessionExtension({ namespace: "mood", description: "How it goes." });
        },
      },
    ],
  });
  await fetchJson("/api/v1/sessions/create", { sessionKey: SESSION });
  document = (await (await request("/openapi.json")).json()) as Record<string, unknown>;
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  return fetch(`${gateway.url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
}

function fetchJson(path: string, body: unknown): Promise<Response> {
  const headers = { "idempotency-key": randomUUID() };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Returns a value of the document in which every reference is replaced by what it refers to. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value && typeof value.$ref === "string") {
    const keys = value.$ref.split("/").slice(1);
    return resolved(
      keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document),
    );
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]));
}

function operations(): readonly Operation[] {
  const paths = resolved(document.paths) as Record<string, Record<string, PlainSchema>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []) as Operation["parameters"],
      body: jsonOf(operation.requestBody),
      responses: operation.responses as Operation["responses"],
    })),
  );
}

function jsonOf(holder: unknown): PlainSchema | undefined {
  const { content } = (holder ?? {}) as { content?: Record<string, { schema: PlainSchema }> };
  return content?.["application/json"]?.schema;
}

const validators = new WeakMap<PlainSchema, ReturnType<typeof Compile>>();

/** A schema is compiled once: that takes longer than the call whose answer it describes. */
function accepts(schema: PlainSchema, value: unknown): boolean {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator.Check(value);
}

/** Values with which methods reach what exists. */
function knownValues(): Record<string, readonly unknown[]> {
  return {
    sessionKey: [SESSION, "main"],
    id: ["probe"],
    pluginId: ["probe"],
    namespace: ["mood"],
    model: ["scripted/script", "openclaw"],
    tool: ["read"],
    hook: ["before_tool_call"],
  };
}

async function send({ method, path, parameters, body }: Operation, input: Input) {
  const url = new URL(path.replace("{id}", encodeURIComponent(input.id)), "http://gateway");
  for (const [name, value] of Object.entries(input.query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      url.searchParams.append(name, typeof each === "string" ? each : JSON.stringify(each));
    }
  }
  const needsKey = parameters.some(({ name }) => name === "Idempotency-Key");
  return request(`${url.pathname}${url.search}`, {
    method,
    ...(needsKey ? { headers: { "idempotency-key": randomUUID() } } : {}),
    ...(body === undefined ? {} : { body: JSON.stringify(local(path, input.body)) }),
  });
}

interface Input {
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Plugins are installed from this machine only. */
function local(path: string, body: unknown): unknown {
  if (path !== "/api/v1/plugins/install") return body;
  return { ...(body as object), specifier: "./missing", cwd: folder.path };
}

function inputs({ parameters, body }: Operation): fc.Arbitrary<Input> {
  const query = parameters.filter(({ in: place }) => place === "query");
  const schemaOfQuery = {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(
      query.map(({ name, schema, content }) => [
        name,
        schema ?? content?.["application/json"]?.schema ?? {},
      ]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  return fc.record({
    id: fc.constantFrom("openclaw", "none", "resp_0"),
    query: schemaArbitrary(schemaOfQuery, knownValues()) as fc.Arbitrary<Input["query"]>,
    body: body === undefined ? fc.constant(undefined) : schemaArbitrary(body, knownValues()),
  });
}

/** Returns the body; a stream of events does not end, so that its body is not read. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get("content-type")?.includes("event-stream") !== true) {
    return await response.text();
  }
  await response.body?.cancel();
  return "";
}

describe("GET /openapi.json", () => {
  it("[GW-032] is a valid OpenAPI 3.1 document", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("[GW-032] [GW-033] has every method, and GET for those that only read", async () => {
    const served = operations().map(({ method, path }) => `${method} ${path}`);
    const expected = Object.values(gatewayMethods).flatMap(({ name, effect }) => {
      const path = `/api/v1/${name.replace(".", "/")}`;
      return effect === "read" ? [`GET ${path}`, `POST ${path}`] : [`POST ${path}`];
    });
    expect(served).toEqual(expect.arrayContaining(expected));
  });

  it("needs a token", async () => {
    const response = await fetch(`${gateway.url}/openapi.json`);
    expect(response.status).toBe(401);
  });

  it("[GW-032] describes the answer of each operation to generated input, none of them 500", async () => {
    const found: string[] = [];
    const all = operations();
    for (const operation of all) {
      const { method, path, responses } = operation;
      const isOneOfTwo = all.some((other) => other.path === path && other.method !== method);
      await fc.assert(
        fc.asyncProperty(inputs(operation), async (input) => {
          const response = await send(operation, input);
          const text = await textOf(response);
          const { status } = response;
          const where = `${method} ${path} ${JSON.stringify(input)} ${status} ${text.slice(0, 300)}`;
          if (status === 500) throw new Error(where);
          const described = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
          if (described === undefined) throw new Error(`not described: ${where}`);
          const isJson = response.headers.get("content-type")?.includes("json") === true;
          const schema = jsonOf(described);
          if (isJson && schema !== undefined && !accepts(schema, JSON.parse(text))) {
            throw new Error(`another answer: ${where}`);
          }
          found.push(`${method} ${path}`);
        }),
        { numRuns: isOneOfTwo ? RUNS / 2 : RUNS, seed: 14, endOnFailure: true },
      );
    }
    expect(new Set(found).size).toBe(all.length);
  }, 120_000);
});
