import type { ListedModel, ModelList } from "@openclaw/protocol/anthropic";
import type { Context } from "hono";
import { invalid } from "../openai/error.js";
import { type ModelHost, modelIds, unknownModel } from "../openai/models.js";
import { failWithAnthropic } from "./error.js";

const MOST_MODELS = 1000;

/**
 * Creates the route `GET /v1/models` for clients of the Messages API, which read it page by page.
 * @param host - agents and models
 */
export function messageModelsRoute(host: ModelHost) {
  return (context: Context): Response => {
    const limit = Number(context.req.query("limit") ?? MOST_MODELS);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_MODELS) {
      const message = `limit must be a whole number from 1 to ${MOST_MODELS}`;
      return failWithAnthropic(context, invalid("invalid_request", message, "limit"));
    }
    const after = context.req.query("after_id");
    const before = context.req.query("before_id");
    const ids = modelIds(host);
    const start = after === undefined ? 0 : ids.indexOf(after) + 1;
    const end = before === undefined ? ids.length : Math.max(0, ids.indexOf(before));
    const between = ids.slice(start, end);
    const page = before === undefined ? between.slice(0, limit) : between.slice(-limit);
    const list: ModelList = {
      data: page.map(listedModel),
      first_id: page[0] ?? null,
      last_id: page.at(-1) ?? null,
      has_more: page.length < between.length,
    };
    return context.json(list);
  };
}

/**
 * Creates the route `GET /v1/models/{id}` for clients of the Messages API.
 * @param host - agents and models
 */
export function messageModelRoute(host: ModelHost) {
  return (context: Context): Response => {
    const id = context.req.param("id") ?? "";
    return modelIds(host).includes(id)
      ? context.json(listedModel(id))
      : failWithAnthropic(context, unknownModel(id));
  };
}

function listedModel(id: string): ListedModel {
  return { type: "model", id, display_name: id, created_at: new Date(0).toISOString() };
}
