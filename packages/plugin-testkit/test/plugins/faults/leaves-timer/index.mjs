export default () => {
  setInterval(() => {}, 1000);
};
