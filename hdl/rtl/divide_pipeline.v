// A division every cycle, STAGES cycles long. The last stage is not registered: its quotient is
// there in the cycle in which it counts.
module divide_pipeline #(
    parameter WIDTH = 12,
    parameter DIVISOR = 8,
    parameter STAGES = 4
) (
    input  wire               clk,
    input  wire [  WIDTH-1:0] dividend,
    input  wire [DIVISOR-1:0] divisor,
    output wire [  WIDTH-1:0] quotient
);
  localparam STEPS = (WIDTH + STAGES - 1) / STAGES;

  wire [(STAGES+1)*(DIVISOR+1)-1:0] rest;
  wire [(STAGES+1)*DIVISOR-1:0] by;
  wire [(STAGES+1)*WIDTH-1:0] work;
  assign rest[DIVISOR:0] = {(DIVISOR + 1) {1'b0}};
  assign by[DIVISOR-1:0] = divisor;
  assign work[WIDTH-1:0] = dividend;
  assign quotient = work[STAGES*WIDTH+:WIDTH];

  genvar i;
  generate
    for (i = 0; i < STAGES; i = i + 1) begin : stage
      localparam LEFT = WIDTH - i * STEPS;
      localparam HERE = LEFT < 0 ? 0 : (LEFT < STEPS ? LEFT : STEPS);
      reg [  DIVISOR:0] rest_r;
      reg [DIVISOR-1:0] by_r;
      reg [  WIDTH-1:0] work_r;
      always @(posedge clk) begin
        rest_r <= rest[i*(DIVISOR+1)+:DIVISOR+1];
        by_r   <= by[i*DIVISOR+:DIVISOR];
        work_r <= work[i*WIDTH+:WIDTH];
      end
      assign by[(i+1)*DIVISOR+:DIVISOR] = by_r;
      divide_steps #(
          .WIDTH(WIDTH),
          .DIVISOR(DIVISOR),
          .STEPS(HERE)
      ) steps (
          .rest_in (rest_r),
          .work_in (work_r),
          .divisor (by_r),
          .rest_out(rest[(i+1)*(DIVISOR+1)+:DIVISOR+1]),
          .work_out(work[(i+1)*WIDTH+:WIDTH])
      );
    end
  endgenerate
endmodule
