export { startDeployment } from "./start-deployment.ts";
