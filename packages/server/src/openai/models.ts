import type { Context } from "hono";
import { failWith } from "./error.js";
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
    return failWith(context, {
      status: 404,
      type: "not_found_error",
      code: "model_not_found",
      message: `model ${JSON.stringify(id)} not found; GET /v1/models lists the models`,
      param: "model",
    });
  };
}

function listed({ agentIds, models }: ModelHost): readonly ListedModel[] {
  const agents = ["openclaw", ...agentIds.map((id) => `openclaw/${id}`)];
  return [
    ...agents.map((id) => listedModel(id, "openclaw")),
    ...models().map((id) => listedModel(id, id.slice(0, id.indexOf("/")))),
  ];
}

function listedModel(id: string, owned_by: string): ListedModel {
  return { id, object: "model", created: 0, owned_by };
}
