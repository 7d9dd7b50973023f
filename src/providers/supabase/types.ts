import { restTypes } from "#providers/rest/rest-types.ts";
import { configRows } from "./config-rows.ts";
import { projectRows } from "./project-rows.ts";

export const supabaseTypes = restTypes("supabase", () => ({ ...projectRows(), ...configRows() }));
