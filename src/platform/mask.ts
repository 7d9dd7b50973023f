/** Replaces a secret value (docs/glossary.md: mask). */
export const MASK = "[secret]";
