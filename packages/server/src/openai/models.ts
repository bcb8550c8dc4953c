import type { Context } from "hono";
import { failWith, type OpenAiFailure } from "./error.js";
import type { OpenAiHost } from "./host.js";

interface ListedModel {
  readonly id: string;
  readonly object: "model";
  /** Seconds since the epoch. */
  readonly created: number;
  readonly owned_by: string;
}

/** Part of the host that the routes of the models use. */
export type ModelHost = Pick<OpenAiHost, "agentIds" | "models">;

/**
 * Creates the route `GET /v1/models`: the agents, then the models that clients can select (GW-037).
 * @param host - agents and models
 */
export function modelsRoute(host: ModelHost) {
  return (context: Context): Response => context.json({ object: "list", data: listed(host) });
}

/**
 * Creates the route `GET /v1/models/{id}`, also for IDs that contain a slash.
 * @param host - agents and models
 */
export function modelRoute(host: ModelHost) {
  return (context: Context): Response => {
    const id = context.req.param("id") ?? "";
    const model = listed(host).find((each) => each.id === id);
    if (model !== undefined) return context.json(model);
    return failWith(context, unknownModel(id));
  };
}

/**
 * Returns the failure of a request for a model that does not exist.
 * @param id - ID from a client
 */
export function unknownModel(id: string): OpenAiFailure {
  return {
    status: 404,
    type: "not_found_error",
    code: "model_not_found",
    message: `model ${JSON.stringify(id)} not found; GET /v1/models lists the models`,
    param: "model",
  };
}

/**
 * Returns the names that `model` can have: the agents, then the models.
 * @param host - agents and models
 */
export function modelIds({ agentIds, models }: ModelHost): readonly string[] {
  return ["openclaw", ...agentIds.map((id) => `openclaw/${id}`), ...models()];
}

function listed(host: ModelHost): readonly ListedModel[] {
  return modelIds(host).map((id) => listedModel(id, id.split("/", 1)[0] ?? id));
}

function listedModel(id: string, owned_by: string): ListedModel {
  return { id, object: "model", created: 0, owned_by };
}
