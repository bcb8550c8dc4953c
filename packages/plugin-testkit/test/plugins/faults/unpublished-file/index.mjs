import "./helper.mjs";

export default () => {};
