import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
import { UnsupportedModelSpecError } from "../errors.js";
import { liftV2 } from "./v2.js";
import { liftV3 } from "./v3.js";

interface ModelVersions {
  v2: LanguageModelV2;
  v3: LanguageModelV3;
  v4: LanguageModelV4;
}

/**
 * Converts a model of AI SDK specification v2, v3 or v4 to v4: prompts, tools and options on the way in,
 * parts, usage and finish reasons on the way out (LLM-002).
 * @param model - return value of a provider's `languageModel`, of any type
 * @returns the same object when it is already v4
 * @throws UnsupportedModelSpecError for any other version, and for a value that is not a model
 */
export function liftLanguageModel(model: unknown): LanguageModelV4 {
  if (implementsVersion(model, "v4")) return model;
  if (implementsVersion(model, "v3")) return liftV3(model);
  if (implementsVersion(model, "v2")) return liftV3(liftV2(model));
  throw new UnsupportedModelSpecError(modelName(model), versionText(model));
}

function implementsVersion<Version extends keyof ModelVersions>(
  model: unknown,
  version: Version,
): model is ModelVersions[Version] {
  return (
    isObject(model) &&
    Reflect.get(model, "specificationVersion") === version &&
    typeof Reflect.get(model, "doStream") === "function" &&
    typeof Reflect.get(model, "doGenerate") === "function"
  );
}

function modelName(model: unknown): string {
  if (!isObject(model)) return `the value ${String(model)}`;
  const provider: unknown = Reflect.get(model, "provider");
  const modelId: unknown = Reflect.get(model, "modelId");
  if (typeof modelId !== "string") return "the object that should be a model";
  return typeof provider === "string" ? `model ${provider}/${modelId}` : `model ${modelId}`;
}

function versionText(model: unknown): string {
  if (!isObject(model)) return "none";
  const version: unknown = Reflect.get(model, "specificationVersion");
  if (version === undefined) return "none";
  const lacksMethods = version === "v2" || version === "v3" || version === "v4";
  return lacksMethods
    ? `${version} only partially (doStream or doGenerate is missing)`
    : String(version);
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
