import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./src/platform/db/tables.ts", "./src/areas/*/tables.ts"],
  out: "./migrations",
  casing: "snake_case",
});
