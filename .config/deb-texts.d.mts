interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly author: string;
  readonly homepage: string;
}

export declare const debianVersion: (version: string) => string;
export declare function changelogText(
  text: string,
  about: { readonly manifest: Manifest; readonly epoch: number | string },
): string;
