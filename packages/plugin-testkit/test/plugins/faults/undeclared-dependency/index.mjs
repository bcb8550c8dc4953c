import "fast-check";

export default () => {};
