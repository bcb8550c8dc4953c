import { validateHeaderName } from "node:http";
import { headerFault } from "@openclaw/plugin-sdk/plugin-entry";
import { type TSchema, Type } from "typebox";
import { BACKEND_ORDER, providerIdOf } from "../selection/backend.js";
import { DEMO_PROVIDER_ID } from "../selection/provider-order.js";

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** IDs of providers that the host registers itself. */
const RESERVED: ReadonlySet<string> = new Set([...BACKEND_ORDER, DEMO_PROVIDER_ID, "local"]);
const closed = { additionalProperties: false };

/** Named server, `models.providers.<id>`. */
export interface ModelServer {
  readonly type: "openai-compatible";
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Properties of the models of the server, by ID. */
  readonly models?: Readonly<Record<string, object>> | undefined;
}

/**
 * Returns the schema of `models.providers` (LLM-660).
 * @param model - schema of the properties of a model
 */
export function modelServersSchema<Model extends TSchema>(model: Model) {
  return Type.Record(
    Type.String(),
    Type.Object(
      {
        type: Type.Literal("openai-compatible", { description: "API of the server." }),
        baseUrl: Type.String({
          pattern: "^https?://",
          description: "URL of the API, up to `/v1`: `http://localhost:1234/v1`.",
        }),
        apiKey: Type.Optional(
          Type.String({
            minLength: 1,
            description: "Key, sent as a bearer token; also a reference to a stored secret.",
          }),
        ),
        headers: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            "x-key": "header",
            description: "Headers that are added to each request.",
          }),
        ),
        models: Type.Optional(
          Type.Record(Type.String({ minLength: 1 }), model, {
            "x-key": "model",
            description:
              "Models that are listed and suggested, with their prices and windows; without it, the server is asked for its models.",
          }),
        ),
      },
      closed,
    ),
    {
      "x-key": "id",
      description:
        "Servers with the API of OpenAI, whose models are named `<id>/<model>`. Adding one does not change the model in use.",
    },
  );
}

/** Problem of a server that a schema cannot express. */
export interface ModelServerProblem {
  /** Keys from the root. */
  readonly path: readonly string[];
  readonly message: string;
  readonly suggestion: string;
}

/**
 * Returns the problems of `models.providers` that the schema cannot express: names, URLs and headers.
 * @param servers - section that matches the schema
 */
export function modelServerProblems(
  servers: Readonly<Record<string, ModelServer>>,
): readonly ModelServerProblem[] {
  return Object.entries(servers).flatMap(([id, { baseUrl, apiKey, headers = {} }]) => {
    const path = ["models", "providers", id];
    const found: ModelServerProblem[] = [];
    if (RESERVED.has(providerIdOf(id))) {
      const message = `"${id}" is the name of a provider of OpenClaw`;
      found.push({ path, message, suggestion: `choose another, for example my-${id}` });
    } else if (!ID.test(id)) {
      const message = `expected a name of 1 to 64 of a-z 0-9 -, got ${JSON.stringify(id)}`;
      found.push({ path, message, suggestion: "rename it" });
    }
    if (!URL.canParse(baseUrl) || new URL(baseUrl).username !== "") {
      const message = "expected an HTTP URL without a user name";
      const suggestion = "write for example http://localhost:1234/v1";
      found.push({ path: [...path, "baseUrl"], message, suggestion });
    }
    if (apiKey !== undefined) found.push(...valueProblems({ apiKey }, path));
    found.push(...headerProblems(headers, [...path, "headers"]));
    return found;
  });
}

/**
 * Returns the names and values of headers that HTTP cannot carry.
 * @param headers - headers by name
 * @param path - keys and indexes of the headers from the root
 */
export function headerProblems<Step extends string | number>(
  headers: Readonly<Record<string, string>>,
  path: readonly Step[],
) {
  return [...nameProblems(headers, path), ...valueProblems(headers, path)];
}

function valueProblems<Step extends string | number>(
  sent: Readonly<Record<string, string>>,
  path: readonly Step[],
) {
  return Object.entries(sent).flatMap(([name, value]) => {
    const fault = headerFault(value);
    if (fault === undefined) return [];
    const message = `cannot be sent in a header: ${fault}`;
    return [{ path: [...path, name], message, suggestion: "check how it was copied" }];
  });
}

function nameProblems<Step extends string | number>(
  headers: Readonly<Record<string, string>>,
  path: readonly Step[],
) {
  return Object.keys(headers).flatMap((name) => {
    try {
      validateHeaderName(name);
      return [];
    } catch {
      const message = `"${name}" is not the name of a header`;
      const suggestion = "use letters, digits and -, for example X-Team";
      return [{ path: [...path, name], message, suggestion }];
    }
  });
}
