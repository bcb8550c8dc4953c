import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { InvalidParameterError } from "../errors.js";
import { CONNECTION_TYPES } from "../organisation/connections.js";
import { answering, required, type ToolDependencies } from "./tool-context.js";

const text = (description: string) => Type.Optional(Type.String({ description }));

const connectParameters = Type.Object(
  {
    action: Type.String({ description: "`create`, `list` or `delete`." }),
    source_path: text("Newer document."),
    target_path: text("Older document."),
    connection_type: text(`${CONNECTION_TYPES.join(", ")}.`),
    strength: Type.Optional(Type.Number({ description: "0 to 1; default 1." })),
    document_path: text("For list."),
    connection_id: text("For delete."),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool that connects documents (MEM-032).
 * @param dependencies - memory, and owner of the documents
 */
export function createConnectTool({ services, owner }: ToolDependencies) {
  return defineTool({
    name: "memory_connect",
    label: "Connect memory",
    description:
      "Connect documents of your memory. One that `updates` another is found before it; use it when something changed.",
    parameters: connectParameters,
    execute: (_id, params) =>
      answering(async () => {
        const { connections } = await services();
        const { action, strength } = params;
        switch (action) {
          case "create":
            return await connections.create(owner, {
              sourcePath: required("source_path", params.source_path, action),
              targetPath: required("target_path", params.target_path, action),
              type: required("connection_type", params.connection_type, action),
              strength,
            });
          case "list":
            return { connections: await connections.list(owner, params.document_path) };
          case "delete":
            await connections.remove(
              owner,
              required("connection_id", params.connection_id, action),
            );
            return { deleted: params.connection_id };
          default:
            throw unknownAction(action, ["create", "list", "delete"]);
        }
      }),
  });
}

const spacesParameters = Type.Object(
  {
    action: Type.String({
      description: "`create`, `list`, `add`, `remove`, `contents` or `delete`.",
    }),
    name: text("For all but list."),
    description: text("For create: its purpose."),
    document_path: text("For add and remove."),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool that groups documents (MEM-033).
 * @param dependencies - memory, and owner of the documents
 */
export function createSpacesTool({ services, owner }: ToolDependencies) {
  return defineTool({
    name: "memory_spaces",
    label: "Spaces of memory",
    description:
      "Group documents of your memory in named spaces, to which memory_search can be limited.",
    parameters: spacesParameters,
    execute: (_id, { action, name, description, document_path: path }) =>
      answering(async () => {
        const { spaces } = await services();
        switch (action) {
          case "create":
            await spaces.create(owner, required("name", name, action), description);
            return { created: name };
          case "list":
            return { spaces: await spaces.list(owner) };
          case "add":
          case "remove":
            await spaces.change(owner, {
              name: required("name", name, action),
              path: required("document_path", path, action),
              isIn: action === "add",
            });
            return { space: name, [action === "add" ? "added" : "removed"]: path };
          case "contents":
            return { documents: await spaces.contents(owner, required("name", name, action)) };
          case "delete":
            await spaces.remove(owner, required("name", name, action));
            return { deleted: name };
          default:
            throw unknownAction(action, ["create", "list", "add", "remove", "contents", "delete"]);
        }
      }),
  });
}

const profileParameters = Type.Object(
  {
    action: Type.String({ description: "`set`, `get` (all facts without a key) or `delete`." }),
    key: text("Such as `time zone`."),
    value: text("The fact."),
    profile_type: text("For set: `static` (default) or `dynamic`."),
    source: text("Default `user_stated`."),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool for facts about the user (MEM-034).
 * @param dependencies - memory, and owner of the documents
 */
export function createProfileTool({ services, owner, origin }: ToolDependencies) {
  return defineTool({
    name: "memory_profile",
    label: "Profile in memory",
    description:
      "Facts about the user, part of every prompt: static ones stay true, dynamic ones concern the current situation.",
    parameters: profileParameters,
    execute: (_id, { action, key, value, profile_type: type, source }) =>
      answering(async () => {
        const { profiles } = await services();
        switch (action) {
          case "set":
            return await profiles.set(owner.user, {
              key: required("key", key, action),
              value: required("value", value, action),
              type,
              // Who said it is known here better than to the model.
              source: origin() ?? source,
            });
          case "get":
            return key === undefined
              ? { facts: await profiles.list(owner.user) }
              : await profiles.get(owner.user, key);
          case "delete":
            await profiles.remove(owner.user, required("key", key, action));
            return { deleted: key };
          default:
            throw unknownAction(action, ["set", "get", "delete"]);
        }
      }),
  });
}

function unknownAction(action: string, known: readonly string[]): InvalidParameterError {
  return new InvalidParameterError(
    "action",
    `expected ${known.join(", ")}, got ${JSON.stringify(action)}`,
  );
}
