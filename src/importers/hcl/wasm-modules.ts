import grammar from "@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-hcl.wasm";
import parser from "web-tree-sitter/web-tree-sitter.wasm";
import type { HclModules } from "./hcl-parser.ts";

/** The compiled modules, which only workerd can import. */
export const wasmModules: HclModules = { parser, grammar };
