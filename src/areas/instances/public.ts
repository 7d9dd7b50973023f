export { rollbackDeployment } from "./rollback-deployment.ts";
