/** The page whose requests test/contract/mistakes.test.ts sends; vitest.config.ts reads it for a test inside workerd. */
export const MISTAKES_PAGE = "docs/mistakes.md";

declare module "vitest" {
  export interface ProvidedContext {
    mistakes: string;
  }
}
