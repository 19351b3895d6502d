export declare function pageParts(): Promise<Record<string, string>>;
