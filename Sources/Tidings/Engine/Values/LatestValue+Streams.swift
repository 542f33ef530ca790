extension LatestValue: LatestElementSource {}
