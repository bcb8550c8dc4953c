// A software bill of materials in the format of https://cyclonedx.org/docs/1.6/json/.

/**
 * Returns the bill of materials of a bundle: the package, and the libraries whose code it contains. It has neither a time nor a
 * random number, so that equal builds have equal files.
 * @param bundle - manifest of the package
 * @param libraries - manifests of the libraries
 */
export function billOfMaterials(bundle, libraries) {
  const components = new Map(libraries.map((library) => [purlOf(library), componentOf(library)]));
  const names = [...components.keys()].sort();
  const root = { ...componentOf(bundle), type: "application" };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: root },
    components: names.map((name) => components.get(name)),
    dependencies: [
      { ref: root["bom-ref"], dependsOn: names },
      ...names.map((name) => ({ ref: name })),
    ],
  };
}

function componentOf(manifest) {
  const { name, version, description, license } = manifest;
  const purl = purlOf(manifest);
  const [, group, short = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return {
    ...{ type: "library", "bom-ref": purl, ...(group === undefined ? {} : { group }) },
    ...{ name: short, version },
    ...(description ? { description } : {}),
    ...(typeof license === "string" ? { licenses: [{ expression: license }] } : {}),
    purl,
  };
}

/** Returns the package URL, https://github.com/package-url/purl-spec. */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
