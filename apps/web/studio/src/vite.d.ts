declare module "gpuzoo.wasm?url" {
  const url: string;
  export default url;
}
