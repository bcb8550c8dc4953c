import {
  gatewayEvents,
  type MethodDefinition,
  WIRE_ERROR_CODES,
  wireErrorSchema,
} from "@openclaw/protocol";
import type { TSchema } from "typebox";
import { propertiesOf } from "../http/query-parameters.js";
import { SchemaComponents } from "./components.js";
import { OTHER_ROUTES } from "./routes.js";

/** Source of the document. */
export interface OpenApiSource {
  /** Version of the gateway. */
  readonly version: string;
  /** Every method, by name. */
  readonly methods: Readonly<Record<string, MethodDefinition>>;
}

/** HTTP statuses of failed calls, with the codes that have them (GW-033). */
const FAILURES = {
  400: "The parameters are not valid.",
  401: "The token is missing or not valid.",
  403: "The token does not have the scope.",
  404: "The method, or what a parameter names, does not exist.",
  405: "The method changes something and is served to POST only.",
  409: "The state does not allow the call, or its idempotency key belongs to another one.",
  413: "The request or a value is too large.",
  429: "Too many requests; see Retry-After.",
  500: "The gateway failed; the message has the ID of the log entry.",
  503: "The gateway cannot serve the call now.",
  504: "The call took too long.",
} as const;

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: true,
  description: "A new value for each call, and the same value to repeat one.",
  schema: { type: "string", minLength: 1, maxLength: 128 },
};

/**
 * Returns the OpenAPI document of a gateway: each method as `POST`, those that only read also as `GET`, and the other
 * routes (GW-032).
 * @param source - version and methods
 */
export function openApiDocument({ version, methods }: OpenApiSource): Record<string, unknown> {
  const components = new SchemaComponents();
  const error = components.schema(wireErrorSchema);
  const paths: Record<string, unknown> = { ...OTHER_ROUTES };
  for (const definition of Object.values(methods)) {
    paths[`/api/v1/${definition.name.replace(".", "/")}`] = methodPath(definition, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "OpenClaw gateway",
      version,
      description: `Methods, OpenAI-compatible routes and health of a gateway. Codes of errors: ${WIRE_ERROR_CODES.join(", ")}. The same methods and ${Object.keys(gatewayEvents).length} events are served over the WebSocket \`/ws\`.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The gateway that serves this document." }],
    security: [{ bearer: [] }],
    tags: tagsOf(methods),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "Token of the gateway." },
      },
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([status, description]) => [
          `Failure${status}`,
          {
            description,
            content: json({ type: "object", required: ["error"], properties: { error } }),
          },
        ]),
      ),
      schemas: components.all,
    },
  };
}

function tagsOf(methods: OpenApiSource["methods"]) {
  const families = new Set(Object.keys(methods).map((name) => familyOf(name)));
  return [...families, "openai", "host"]
    .filter((name, index, all) => all.indexOf(name) === index)
    .map((name) => ({ name }));
}

function familyOf(name: string): string {
  return name.split(".")[0] ?? name;
}

function methodPath(definition: MethodDefinition, components: SchemaComponents) {
  const { name, params, effect } = definition;
  const operation = operationOf(definition, components);
  const isWrite = effect === "write";
  const post = {
    ...operation,
    operationId: name,
    ...(isWrite ? { parameters: [IDEMPOTENCY_KEY] } : {}),
    requestBody: {
      // An empty body stands for no parameters.
      required: isRequired(params),
      content: json(components.schema(params)),
    },
  };
  if (isWrite) return { post };
  const get = {
    ...operation,
    operationId: `${name}.get`,
    parameters: queryParameters(params, components),
  };
  return { get, post };
}

function operationOf(
  { name, summary, result, errors, scope }: MethodDefinition,
  components: SchemaComponents,
) {
  const reasons = errors.length === 0 ? "" : ` Values of \`reason\`: ${errors.join(", ")}.`;
  return {
    tags: [familyOf(name)],
    summary,
    description: `Scope: \`${scope}\`.${reasons}`,
    responses: {
      200: { description: "Result.", content: json(components.schema(result)) },
      ...Object.fromEntries(
        Object.keys(FAILURES).map((status) => [
          status,
          { $ref: `#/components/responses/Failure${status}` },
        ]),
      ),
    },
  };
}

/** Parameters that an option of a choice does not have are not required. */
function queryParameters(params: TSchema, components: SchemaComponents) {
  const options = propertiesOf(params);
  const names = new Set(options.flatMap((properties) => Object.keys(properties)));
  return [...names].map((name) => {
    const schema = options.find((properties) => Object.hasOwn(properties, name))?.[name];
    const described = components.schema(schema ?? {});
    const required = optionsOf(params).every((option) => requiredOf(option).includes(name));
    const isObject = "type" in described && described.type === "object";
    return {
      name,
      in: "query",
      required,
      ...(isObject ? { content: json(described) } : { schema: described }),
    };
  });
}

function optionsOf(params: TSchema): readonly TSchema[] {
  return "anyOf" in params && Array.isArray(params.anyOf) ? params.anyOf : [params];
}

function requiredOf(schema: TSchema): readonly string[] {
  return "required" in schema && Array.isArray(schema.required) ? schema.required : [];
}

function isRequired(params: TSchema): boolean {
  return optionsOf(params).every((option) => requiredOf(option).length > 0);
}

function json(schema: unknown) {
  return { "application/json": { schema } };
}
