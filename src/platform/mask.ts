/** What stands in place of a secret value (docs/glossary.md: mask). */
export const MASK = "[secret]";
