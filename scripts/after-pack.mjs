import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { carriedPackages } from './about-texts.mjs';
import { fusesWithoutSetting } from './check-fuses.mjs';
import { billOfMaterials } from './third-party-licenses.mjs';

const BINARY = { darwin: (name) => `${name}.app`, win32: (name) => `${name}.exe` };

/** The runtime's binary in a package of electron-builder; the app as a whole on macOS. */
function binaryOf({ appOutDir, electronPlatformName, packager }) {
  const fileName = BINARY[electronPlatformName]?.(packager.appInfo.productFilename) ?? packager.executableName;
  return join(appOutDir, fileName);
}

/**
 * Called by electron-builder before it switches the fuses of a package and signs it: adds the bill of materials
 * beside the archive, and ends the packaging if a fuse has no setting.
 */
export default async function afterPack(context) {
  const { packager, appOutDir } = context;
  const problems = await fusesWithoutSetting(binaryOf(context), packager.config.electronFuses ?? {});
  if (problems.length > 0) throw new Error(problems.join('\n'));
  writeFileSync(join(packager.getResourcesDir(appOutDir), 'sbom.cdx.json'), billOfMaterials(carriedPackages()));
}
