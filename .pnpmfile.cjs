// The packages of Node's programs name their platform in strings, where pnpm reads lists: without this it would install
// those of every platform.
const asList = (value) => (typeof value === "string" ? [value] : value);

module.exports = {
  hooks: {
    readPackage(manifest) {
      if (!/^node-(?:bin-)?(?:darwin|linux)-/.test(manifest.name)) return manifest;
      return { ...manifest, os: asList(manifest.os), cpu: asList(manifest.cpu) };
    },
  },
};
