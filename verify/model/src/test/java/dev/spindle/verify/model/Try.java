package dev.spindle.verify.model;
import java.util.*;
class Try {
  public static void main(String[] a) throws Exception {
    var m = CrewModelTest.class.getDeclaredMethod("settings"); m.setAccessible(true);
    List<CrewModel.Setting> l = (List<CrewModel.Setting>) m.invoke(null);
    int only = a.length>0 ? Integer.parseInt(a[0]) : -1;
    Set<CrewModel.Mutant> mu = a.length>1 ? EnumSet.of(CrewModel.Mutant.valueOf(a[1])) : Set.of();
    for (int i=0;i<l.size();i++) { if (only>=0 && i!=only) continue; long t=System.nanoTime(); var r=Explorer.explore(new CrewModel(l.get(i), mu), 30_000_000); System.out.println(i+" "+(System.nanoTime()-t)/1000000+" ms "+r.text()); }
  }
}
