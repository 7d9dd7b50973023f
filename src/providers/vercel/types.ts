import { restTypes } from "#providers/rest/rest-types.ts";
import { projectRows } from "./project-rows.ts";
import { teamRows } from "./team-rows.ts";

export const vercelTypes = restTypes("vercel", () => ({ ...projectRows(), ...teamRows() }));
