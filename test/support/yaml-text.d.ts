/** A file of the project as text. */
declare module "*.yaml?raw" {
  const text: string;
  export default text;
}
