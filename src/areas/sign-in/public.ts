export { signInProblems } from "./sign-in-problems.ts";
