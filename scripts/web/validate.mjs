// node validate.mjs FILE.glb...: errors and warnings of the Khronos glTF validator, one per line.
// Fails when there is any.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import validator from "gltf-validator";

const severities = ["error", "warning", "information", "hint"];
let bad = 0;
for (const file of process.argv.slice(2)) {
	const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
		maxIssues: 100,
		ignoredIssues: ["UNUSED_OBJECT"], // information only; cut faces have coordinates without a texture
	});
	const { numErrors, numWarnings } = report.issues;
	for (const issue of report.issues.messages) {
		if (issue.severity < 2)
			console.log(`${basename(file)}: ${severities[issue.severity]}: ${issue.pointer ?? ""} ${issue.message}`);
	}
	bad += numErrors + numWarnings;
	const { drawCallCount, totalTriangleCount, animationCount } = report.info;
	console.log(`${basename(file)}: ${numErrors} errors, ${numWarnings} warnings; ${drawCallCount} draw calls, ` +
		`${totalTriangleCount} triangles, ${animationCount} animations`);
}
process.exit(bad > 0 ? 1 : 0);
